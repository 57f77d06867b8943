package io.myolotrain.worker.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.TrainingConfig;
import io.myolotrain.worker.engine.Trainer;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.TreeSet;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class MicroBatchesTest {
    private static final int S = 16;
    private static final int B = 3;
    private static final int VOCABULARY = 256;
    private static final int MASK = VOCABULARY - 1;

    /** Token t of sample i is (31 i + t) mod 200, so tokens tell samples apart and never equal the mask. */
    private record Numbered(long samples, long validationSamples) implements TokenSource {
        @Override
        public int vocabulary() {
            return VOCABULARY;
        }

        @Override
        public void read(long sample, int[] out, int offset) {
            for (int t = 0; t <= S; t++) {
                out[offset + t] = (int) ((31 * sample + t) % 200);
            }
        }

        @Override
        public void readValidation(long sample, int[] out, int offset) {
            read(samples + sample, out, offset);
        }

        @Override
        public String fingerprint() {
            return "numbered";
        }

        @Override
        public void close() {}
    }

    private static JobSpec spec(ModelShape.Family family, long seed) {
        var shape = new ModelShape(family, 1, 8, 2, S, VOCABULARY, 1, 0);
        var config = new TrainingConfig(
                1,
                12,
                1e-3,
                1e-4,
                TrainingConfig.Schedule.CONSTANT,
                0,
                0,
                0,
                0.9,
                0.95,
                1e-8,
                1,
                TrainingConfig.Precision.FLOAT32,
                0,
                0,
                10,
                TrainingConfig.RunState.RUNNING);
        return new JobSpec(
                new JobId("j"), new PoolId("p"), "a", shape, seed, B, "-", JobSpec.Transport.AUTO, 2, config);
    }

    private static MicroBatches batches(ModelShape.Family family, long seed) {
        return new MicroBatches(new Numbered(50, 7), spec(family, seed));
    }

    @Test
    void gpt_targets_are_the_next_tokens() {
        MicroBatch batch = batches(ModelShape.Family.GPT, 1).at(5, 60, 2);
        assertThat(batch.sampleIds()).hasSize(B);
        for (int row = 0; row < B; row++) {
            for (int t = 0; t < S; t++) {
                assertThat(batch.tokens()[row * S + t]).isEqualTo((int) ((31 * batch.sampleIds()[row] + t) % 200));
                assertThat(batch.targets()[row * S + t]).isEqualTo((int) ((31 * batch.sampleIds()[row] + t + 1) % 200));
            }
        }
    }

    @Test
    void micro_batches_of_a_step_follow_the_jobs_order_and_an_epoch_has_each_sample_once() {
        MicroBatches batches = batches(ModelShape.Family.GPT, 9);
        var seen = new TreeSet<Long>();
        int stepSamples = 12; // 4 micro-batches
        for (int position = 0; position < 50; position++) {
            long stepPosition = position / stepSamples * stepSamples;
            int index = (position - (int) stepPosition) / B;
            long id = batches.at(1, stepPosition, index).sampleIds()[position % B];
            assertThat(seen.add(id)).as("position " + position).isTrue();
        }
        assertThat(seen).hasSize(50);
    }

    @Test
    void the_same_place_of_the_grid_reads_the_same_and_the_position_alone_counts() {
        for (ModelShape.Family family : ModelShape.Family.values()) {
            MicroBatch once = batches(family, 4).at(7, 84, 1);
            MicroBatch again = batches(family, 4).at(7, 84, 1);
            assertThat(once.tokens()).isEqualTo(again.tokens());
            assertThat(once.targets()).isEqualTo(again.targets());
            assertThat(batches(family, 4).at(8, 81, 2).sampleIds()).isEqualTo(once.sampleIds());
            assertThat(batches(family, 5).at(7, 84, 1).sampleIds()).isNotEqualTo(once.sampleIds());
        }
    }

    @Test
    void bert_learns_the_chosen_tokens_only_and_hides_most_of_them() {
        MicroBatches masked = batches(ModelShape.Family.BERT, 3);
        MicroBatches plain = batches(ModelShape.Family.GPT, 3);
        int chosen = 0;
        int hidden = 0;
        int kept = 0;
        int positions = 0;
        for (int step = 0; step < 200; step++) {
            MicroBatch batch = masked.at(step, 12L * step, 0);
            int[] original = plain.at(step, 12L * step, 0).tokens();
            for (int i = 0; i < original.length; i++) {
                positions++;
                if (batch.targets()[i] == Trainer.IGNORED) {
                    assertThat(batch.tokens()[i]).isEqualTo(original[i]);
                    continue;
                }
                assertThat(batch.targets()[i]).isEqualTo(original[i]);
                chosen++;
                hidden += batch.tokens()[i] == MASK ? 1 : 0;
                kept += batch.tokens()[i] == original[i] ? 1 : 0;
            }
        }
        assertThat((double) chosen / positions).isBetween(0.10, 0.20);
        assertThat((double) hidden / chosen).isBetween(0.75, 0.85);
        assertThat((double) kept / chosen).isBetween(0.06, 0.14);
    }

    @Test
    void rows_and_steps_have_masks_of_their_own_and_validation_masks_stay() {
        MicroBatches batches = batches(ModelShape.Family.BERT, 3);
        var patterns = new TreeSet<String>();
        for (int step = 0; step < 10; step++) {
            int[] targets = batches.at(step, 0, 0).targets();
            for (int row = 0; row < B; row++) {
                patterns.add(pattern(Arrays.copyOfRange(targets, row * S, (row + 1) * S)));
            }
        }
        assertThat(patterns).hasSizeGreaterThan(15);
        assertThat(batches.validation(1).targets())
                .isEqualTo(batches.validation(1).targets());
    }

    private static String pattern(int[] targets) {
        var pattern = new StringBuilder();
        for (int target : targets) {
            pattern.append(target == Trainer.IGNORED ? '.' : 'x');
        }
        return pattern.toString();
    }

    @Test
    void validation_reads_held_out_samples_in_order() {
        MicroBatches batches = batches(ModelShape.Family.GPT, 1);
        assertThat(batches.validationBatches()).isEqualTo(2);
        assertThat(batches.validation(1).sampleIds()).containsExactly(3, 4, 5);
        assertThat(batches.validation(1).tokens()[0]).isEqualTo(31 * 53 % 200);
        assertThatThrownBy(() -> batches.validation(2)).hasMessageContaining("in [0, 2)");
        var few = new MicroBatches(new Numbered(50, 2), spec(ModelShape.Family.GPT, 1));
        assertThat(few.validationBatches()).isEqualTo(1);
        assertThat(few.validation(0).sampleIds()).containsExactly(0, 1, 0);
    }

    @Test
    void the_checksum_covers_ids_as_eight_bytes_big_endian_in_order() {
        MicroBatches batches = batches(ModelShape.Family.GPT, 1);
        var crc = new SamplesCrc();
        var expected = new CRC32C();
        for (int index = 1; index < 4; index++) {
            MicroBatch batch = batches.at(3, 36, index);
            crc.add(batch);
            for (long id : batch.sampleIds()) {
                expected.update(ByteBuffer.allocate(8).putLong(id).array());
            }
        }
        assertThat(crc.value()).isEqualTo(expected.getValue());
        assertThat(crc.sampleCount()).isEqualTo(9);
    }

    @Test
    void a_source_of_another_vocabulary_is_refused() {
        var shape = new ModelShape(ModelShape.Family.GPT, 1, 8, 2, S, 300, 1, 0);
        JobSpec spec = spec(ModelShape.Family.GPT, 1);
        var other = new JobSpec(
                spec.job(), spec.pool(), "a", shape, 1, B, "-", JobSpec.Transport.AUTO, 2, spec.initialConfig());
        assertThatThrownBy(() -> new MicroBatches(new Numbered(50, 7), other)).hasMessageContaining("one vocabulary");
    }
}
