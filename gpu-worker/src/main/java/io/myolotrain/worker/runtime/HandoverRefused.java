package io.myolotrain.worker.runtime;

/** The ranks of a group cannot train together: going on would quietly give different models. */
final class HandoverRefused extends RuntimeException {
    HandoverRefused(String message) {
        super(message);
    }
}
