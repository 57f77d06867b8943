package io.myolotrain.worker.readings;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.sampling.Spans;
import io.myolotrain.core.sampling.Spans.Operation;
import io.myolotrain.core.sampling.Spans.Phase;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SpanRecorderTest {
    private final SpanRecorder recorder = new SpanRecorder();

    @Test
    void spansCountFromTheBeginOfTheStepAndWhatCameBeforeIsNegative() {
        recorder.computed(Phase.WAIT, 1_000_000, 1_999_000);
        recorder.computed(Phase.DATA, 2_000_000, 2_500_000);

        Spans spans = recorder.take(2_000_000, 77);

        assertThat(spans.baseAtMicros()).isEqualTo(77);
        assertThat(spans.spans())
                .containsExactly(
                        new Spans.Span(Phase.WAIT, -1_000, -1, Optional.empty()),
                        new Spans.Span(Phase.DATA, 0, 500, Optional.empty()));
        assertThat(recorder.take(0, 0).spans()).isEmpty();
    }

    @Test
    void collectivesAreNumberedWithinTheirGenerationAndOperation() {
        recorder.entered(new Generation(1));
        recorder.communicated(Phase.ALL_REDUCE, Operation.ALL_REDUCE, 100, 0, 1);
        recorder.communicated(Phase.COMMIT, Operation.ALL_GATHER, 8, 1, 2);
        recorder.take(0, 0);
        recorder.communicated(Phase.ALL_REDUCE, Operation.ALL_REDUCE, 100, 0, 1);
        assertThat(recorder.take(0, 0).spans().get(0).collective())
                .contains(new Spans.Collective(Operation.ALL_REDUCE, 1, 100));

        recorder.entered(new Generation(2));
        recorder.communicated(Phase.ALL_REDUCE, Operation.ALL_REDUCE, 100, 0, 1);
        assertThat(recorder.take(0, 0).spans().get(0).collective().orElseThrow().sequence())
                .isZero();
    }

    @Test
    void aStepOfVeryManyMicroBatchesHasABoundedRecord() {
        for (int i = 0; i < 10_000; i++) {
            recorder.computed(Phase.DATA, i * 3_000L, i * 3_000L + 1_000);
            recorder.computed(Phase.BACKWARD, i * 3_000L + 1_000, i * 3_000L + 2_000);
        }

        recorder.computed(Phase.OPTIMIZER, 30_000_000, 30_001_000);

        Spans spans = recorder.take(0, 0);

        assertThat(spans.spans()).hasSize(SpanRecorder.MICRO_BATCH_SPANS_MAX + 1);
        assertThat(spans.spans().stream()
                        .filter(s -> s.phase() == Phase.BACKWARD)
                        .mapToLong(s -> s.endMicros() - s.beginMicros())
                        .sum())
                .isEqualTo(10_000);
        assertThat(spans.spans()).extracting(Spans.Span::phase).contains(Phase.OPTIMIZER);
    }
}
