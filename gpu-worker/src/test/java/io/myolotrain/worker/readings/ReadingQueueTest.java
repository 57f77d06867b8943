package io.myolotrain.worker.readings;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.sampling.Line;
import io.myolotrain.core.sampling.Origin;
import io.myolotrain.core.sampling.Reading;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ReadingQueueTest {
    private static final Line LINE = new Line(new PoolId("p"), new JobId("j"), "a", new Generation(1));

    private static Reading reading(long step) {
        return Reading.scalar(new Origin(LINE, step, new WorkerId("w"), 0, 0), "x", (double) step);
    }

    @Test
    void aSinkThatStandsStillCostsTheTrainingThreadNothingAndWhatIsDroppedIsCounted() throws Exception {
        var open = new CountDownLatch(1);
        var entered = new CountDownLatch(1);
        List<Long> taken = new CopyOnWriteArrayList<>();
        var queue = new ReadingQueue(
                reading -> {
                    entered.countDown();
                    try {
                        open.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    taken.add(reading.origin().step());
                },
                () -> {});
        queue.offer(reading(0));
        entered.await();
        for (int step = 1; step <= ReadingQueue.WAITING_MAX + 7; step++) {
            queue.offer(reading(step));
        }
        assertThat(queue.takeDropped()).isEqualTo(7);
        assertThat(queue.takeDropped()).isZero();

        open.countDown();
        queue.close();
        assertThat(taken).hasSize(ReadingQueue.WAITING_MAX + 1);
    }

    @Test
    void aReadingThatFailsCostsOnlyItself() throws Exception {
        List<Long> taken = new CopyOnWriteArrayList<>();
        var queue = new ReadingQueue(
                reading -> {
                    if (reading.origin().step() == 1) {
                        throw new IllegalStateException("no");
                    }
                    taken.add(reading.origin().step());
                },
                () -> {});
        queue.offer(reading(1));
        queue.offer(reading(2));
        queue.close();

        assertThat(taken).containsExactly(2L);
        assertThat(queue.takeDropped()).isEqualTo(1);
    }
}
