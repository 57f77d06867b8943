package io.myolotrain.worker.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.TrainingConfig;
import io.myolotrain.core.training.ParameterLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/** Parameters and moments of a small model, filled with random bits (every kind of float), and their way to disk and back. */
record SavedWorld(ParameterLayout layout, FloatBuffer parameters, SortedMap<Integer, FloatBuffer> moments) {
    static final JobId JOB = new JobId("gpt");
    static final String ATTEMPT = "a1";

    static SavedWorld random(long seed, int slices) {
        return random(seed, shape(ModelShape.Family.GPT, slices));
    }

    /** As small as a model with slices can be: for tests that save hundreds of times. */
    static SavedWorld tiny(long seed) {
        return random(seed, new ModelShape(ModelShape.Family.GPT, 1, 4, 2, 4, 8, 2, 0.1));
    }

    static ModelShape shape(ModelShape.Family family, int slices) {
        return new ModelShape(family, 2, 16, 4, 8, 256, slices, 0.1);
    }

    static SavedWorld random(long seed, ModelShape shape) {
        var random = new Random(seed);
        ParameterLayout layout = ParameterLayout.of(shape);
        var moments = new TreeMap<Integer, FloatBuffer>();
        layout.shards().forEach(shard -> moments.put(shard.index(), fill(random, 2 * shard.length())));
        return new SavedWorld(layout, fill(random, layout.size()), moments);
    }

    private static FloatBuffer fill(Random random, int floats) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(floats * Float.BYTES).order(ByteOrder.nativeOrder());
        for (int i = 0; i < floats; i++) {
            bytes.putInt(i * Float.BYTES, random.nextInt());
        }
        return bytes.asFloatBuffer();
    }

    CheckpointState state(long generation, long step) {
        var config = new TrainingConfig(
                2,
                16,
                1e-3,
                1e-4,
                TrainingConfig.Schedule.COSINE,
                10,
                100,
                0.1,
                0.9,
                0.95,
                1e-8,
                1.0,
                TrainingConfig.Precision.FLOAT32,
                100,
                50,
                1_000,
                TrainingConfig.RunState.RUNNING);
        return new CheckpointState(
                JOB,
                ATTEMPT,
                step,
                step * 16,
                new Generation(generation),
                42,
                4,
                layout.shape(),
                config,
                "cafe",
                Optional.of("a0/50"));
    }

    /** As {@code ranks} workers do it, shard s owned by rank s mod ranks. */
    CheckpointSave.Published save(CheckpointStore store, long generation, long step, int ranks) {
        CheckpointSave save = store.begin(JOB, ATTEMPT, new Generation(generation), step);
        var parts = new ArrayList<Part>();
        parts.add(save.writeModel(layout, parameters));
        for (int rank = 0; rank < ranks; rank++) {
            parts.add(Part.fromWords(
                    save.writeMoments(rank, layout, ownedBy(rank, ranks)).toWords(), 0));
        }
        return save.publish(state(generation, step), layout.shards().size(), parts);
    }

    SortedMap<Integer, FloatBuffer> ownedBy(int rank, int ranks) {
        var owned = new TreeMap<>(moments);
        owned.keySet().removeIf(shard -> shard % ranks != rank);
        return owned;
    }

    /** Reads back as {@code ranks} other workers do, and compares every bit. */
    void assertLoaded(LoadedCheckpoint loaded, int ranks) {
        FloatBuffer readParameters = direct(layout.size());
        loaded.readParameters(layout, readParameters);
        assertSameBits("parameters", readParameters, parameters);
        for (int rank = 0; rank < ranks; rank++) {
            var wanted = new TreeMap<Integer, FloatBuffer>();
            ownedBy(rank, ranks).forEach((shard, floats) -> wanted.put(shard, direct(floats.capacity())));
            loaded.readMoments(layout, wanted);
            wanted.forEach((shard, floats) -> assertSameBits("moments of shard " + shard, floats, moments.get(shard)));
        }
    }

    boolean isLoadedBy(LoadedCheckpoint loaded) {
        FloatBuffer read = direct(layout.size());
        loaded.readParameters(layout, read);
        return bits(read).equals(bits(parameters));
    }

    private static void assertSameBits(String what, FloatBuffer actual, FloatBuffer expected) {
        assertThat(bits(actual).equals(bits(expected))).as("same bits: " + what).isTrue();
    }

    /** As integers: NaNs compare by their bits. */
    private static java.nio.IntBuffer bits(FloatBuffer floats) {
        var bits = java.nio.IntBuffer.allocate(floats.capacity());
        for (int i = 0; i < floats.capacity(); i++) {
            bits.put(i, Float.floatToRawIntBits(floats.get(i)));
        }
        return bits;
    }

    static FloatBuffer direct(int floats) {
        return ByteBuffer.allocateDirect(floats * Float.BYTES)
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
    }
}
