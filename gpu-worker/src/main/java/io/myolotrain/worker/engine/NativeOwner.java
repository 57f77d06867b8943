package io.myolotrain.worker.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import org.bytedeco.javacpp.Pointer;

/** The one owner of long-lived native objects: they outlive any scope they are made in and are freed together, last first. */
final class NativeOwner implements AutoCloseable {
    private final Deque<Pointer> owned = new ArrayDeque<>();

    <P extends Pointer> P own(P pointer) {
        pointer.retainReference();
        owned.push(pointer);
        return pointer;
    }

    @Override
    public void close() {
        while (!owned.isEmpty()) {
            owned.pop().releaseReference();
        }
    }
}
