package io.myolotrain.cli.fleet;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;

/**
 * Child side of the parent's pipe. The kernel closes the pipe when the parent ends, however it ends; a child that sees its
 * standard input end stops too, so that a killed demo leaves no orphan.
 */
public final class ParentLink {
    private static final long STOP_TIMEOUT_MS = 5_000;

    private ParentLink() {}

    /** Exits this JVM through its shutdown hooks when {@code pipe} ends, and without them if they take too long. */
    public static void exitWithParent(InputStream pipe) {
        Thread watch = new Thread(() -> awaitEndAndExit(pipe), "parent-link");
        watch.setDaemon(true);
        watch.start();
    }

    private static void awaitEndAndExit(InputStream pipe) {
        awaitEnd(pipe);
        Thread exit = new Thread(() -> System.exit(0), "exit-with-parent");
        exit.setDaemon(true);
        exit.start();
        try {
            TimeUnit.MILLISECONDS.sleep(STOP_TIMEOUT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(1);
    }

    private static void awaitEnd(InputStream pipe) {
        try {
            pipe.transferTo(OutputStream.nullOutputStream()); // the parent says nothing; only the end counts
        } catch (IOException broken) {
            // a broken pipe is an ended one
        }
    }
}
