package io.myolotrain.cli.component;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a command has started. All of it is stopped in reverse order, once, when the command ends or the process is told to
 * end; what does not stop within the time-out ends with the process.
 */
public final class Lifetime implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Lifetime.class);

    private final Deque<Owned> owned = new ArrayDeque<>(); // guarded by this
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Duration stopTimeout;
    private final Thread hook = new Thread(this::stopForSignal, "stop");
    private boolean closed; // guarded by this

    private record Owned(String name, AutoCloseable resource) {}

    private Lifetime(Duration stopTimeout) {
        this.stopTimeout = stopTimeout;
    }

    /** Ctrl-C and SIGTERM close it. */
    public static Lifetime ofProcess(Duration stopTimeout) {
        var lifetime = new Lifetime(stopTimeout);
        Runtime.getRuntime().addShutdownHook(lifetime.hook);
        return lifetime;
    }

    public synchronized <T extends AutoCloseable> T own(String name, T resource) {
        if (closed) { // the signal came while this part was starting
            stop(new Owned(name, resource));
            throw new IllegalStateException("told to stop while starting: " + name);
        }
        owned.push(new Owned(name, resource));
        return resource;
    }

    /** Blocks until the process is told to end. */
    public void awaitEnd() throws InterruptedException {
        ended.await();
    }

    /** @return whether the process was told to end meanwhile */
    public boolean endedWithin(Duration time) throws InterruptedException {
        return ended.await(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void stopForSignal() {
        Thread watchdog = new Thread(this::haltAfterTimeout, "stop-watchdog");
        watchdog.setDaemon(true);
        watchdog.start();
        ended.countDown();
        closeAll();
    }

    private void haltAfterTimeout() {
        try {
            TimeUnit.MILLISECONDS.sleep(stopTimeout.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        LOG.atError().addKeyValue("stopTimeout", stopTimeout).log("stopping took too long; the process ends as it is");
        Runtime.getRuntime().halt(1);
    }

    @Override
    public void close() {
        ended.countDown();
        closeAll();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            LOG.atDebug().log("closed while the process shuts down");
        }
    }

    private synchronized void closeAll() {
        closed = true;
        while (!owned.isEmpty()) {
            stop(owned.pop());
        }
    }

    private static void stop(Owned part) {
        long started = System.nanoTime();
        try {
            part.resource.close();
        } catch (Exception e) { // one part that cannot stop must not keep the others from stopping
            LOG.atError().addKeyValue("part", part.name).setCause(e).log("could not be stopped");
        }
        LOG.atInfo()
                .addKeyValue("part", part.name)
                .addKeyValue("millis", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started))
                .log("stopped");
    }
}
