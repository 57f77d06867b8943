package io.myolotrain.worker.readings;

import io.myolotrain.core.sampling.Reading;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes readings off the training thread: encoding and a broker that is away are this thread's time. Between readings it
 * runs a task about once a second.
 */
final class ReadingQueue implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ReadingQueue.class);
    /** Some seconds of a fast job; beyond it the newest is dropped and counted. */
    static final int WAITING_MAX = 1_024;

    private static final long PAUSE_MS = 100;
    private static final long TASK_EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long CLOSE_TIMEOUT_MS = 2_000;

    private final BlockingQueue<Reading> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
    private final Consumer<Reading> sink;
    private final Runnable everySecond;
    private final AtomicLong dropped = new AtomicLong();
    private final Thread thread;
    private volatile boolean closing;
    private boolean failing; // of the queue's thread

    ReadingQueue(Consumer<Reading> sink, Runnable everySecond) {
        this.sink = sink;
        this.everySecond = everySecond;
        thread = new Thread(this::run, "readings");
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns at once. */
    void offer(Reading reading) {
        if (!waiting.offer(reading)) {
            dropped.incrementAndGet();
        }
    }

    /** Readings that did not get through since the last call. */
    long takeDropped() {
        return dropped.getAndSet(0);
    }

    private void run() {
        long nextTask = System.nanoTime();
        try {
            while (!closing || !waiting.isEmpty()) {
                Reading reading = waiting.poll(PAUSE_MS, TimeUnit.MILLISECONDS);
                if (reading != null) {
                    attempt(() -> sink.accept(reading));
                }
                if (!closing && System.nanoTime() - nextTask >= 0) {
                    nextTask = System.nanoTime() + TASK_EVERY_NANOS;
                    attempt(everySecond);
                }
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /** A reading that fails must not cost the next one; the first failure of a series is told. */
    private void attempt(Runnable work) {
        try {
            work.run();
            failing = false;
        } catch (RuntimeException e) {
            dropped.incrementAndGet();
            if (!failing) {
                failing = true;
                log.atWarn().setCause(e).log("a reading was not taken");
            }
        }
    }

    /** Hands on what is waiting, within two seconds. */
    @Override
    public void close() throws InterruptedException {
        closing = true;
        thread.join(CLOSE_TIMEOUT_MS);
        if (thread.isAlive()) {
            thread.interrupt();
        }
    }
}
