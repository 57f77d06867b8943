package io.myolotrain.worker.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class DriversTest {
    private final ByteBuffer memory =
            ByteBuffer.allocateDirect(2 * RegionLayout.LINE).order(ByteOrder.nativeOrder());
    private final Drivers mine = new Drivers(memory, 0, 0, 2);
    private final Drivers peers = new Drivers(memory, 0, 1, 2);

    /** A thread that drives rank 1 until it is told to end. */
    private final class Driver implements AutoCloseable {
        final CountDownLatch driving = new CountDownLatch(1);
        final CountDownLatch end = new CountDownLatch(1);
        final Thread thread = new Thread(() -> {
            peers.begin();
            driving.countDown();
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });

        Driver() throws InterruptedException {
            thread.start();
            driving.await();
        }

        @Override
        public void close() throws InterruptedException {
            end.countDown();
            thread.join();
        }
    }

    /** For several times as long as it takes to find somebody gone. */
    private void assertNotGone() {
        long sinceNanos = System.nanoTime();
        do {
            assertThat(mine.gone(1)).isFalse();
        } while (System.nanoTime() - sinceNanos < Duration.ofMillis(30).toNanos());
    }

    @Test
    void whoseThreadHasEndedIsGone() throws Exception {
        assertNotGone(); // not driven yet
        try (var driver = new Driver()) {
            assertNotGone();
        }
        await().until(() -> mine.gone(1));
    }

    @Test
    void whoWasTakenOverByAnotherThreadIsNot() throws Exception {
        try (var first = new Driver()) {
            assertNotGone();
        }
        try (var second = new Driver()) {
            assertNotGone();
        }
    }

    /** Its process may be one that this {@code /proc} does not show. */
    @Test
    void whoWasNeverSeenCannotBeMissed() {
        long nobody = 999_999_999; // beyond the largest process id
        SharedRegion.LONG.setVolatile(memory, RegionLayout.LINE, nobody << 32 | nobody);
        assertNotGone();
    }
}
