package io.myolotrain.worker.runtime;

import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.TrainingConfig;
import io.myolotrain.core.model.TrainingConfig.RunState;
import io.myolotrain.core.training.ParameterLayout;
import io.myolotrain.worker.checkpoint.CheckpointException;
import io.myolotrain.worker.checkpoint.CheckpointSave;
import io.myolotrain.worker.checkpoint.CheckpointState;
import io.myolotrain.worker.checkpoint.CheckpointStore;
import io.myolotrain.worker.checkpoint.Part;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checkpoints beside the training: at a boundary every rank copies its part, a writer thread puts it on disk while the steps
 * go on, and when the votes say that all parts are written rank 0 publishes the manifest. The step loop's thread calls
 * everything here; what it decides follows from votes alone, so all ranks decide the same at the same boundary.
 */
final class Checkpoints implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Checkpoints.class);

    private static final int CLOSE_TIMEOUT_SECONDS = 8;
    private static final int PARTS_PER_RANK_MAX = 2; // rank 0 writes the model beside its moments
    private static final long NO_PART = Long.MIN_VALUE;

    private final CheckpointStore store;
    private final int keep;
    private final WorkerEvents events;
    private final ExecutorService writer = Executors.newSingleThreadExecutor(work -> new Thread(work, "checkpoints"));

    private @Nullable Pending pending;
    private boolean requested;
    private boolean settled;

    /** @param parts what this rank wrote, when done: words of {@link Part} */
    private record Pending(CheckpointSave save, CheckpointState state, boolean serves, Future<long[]> parts) {}

    Checkpoints(CheckpointStore store, int keep, WorkerEvents events) {
        this.store = store;
        this.keep = keep;
        this.events = events;
    }

    /** Wants a checkpoint whatever the interval: the process or the job ends. */
    void request() {
        requested = true;
        settled = false;
    }

    boolean requested() {
        return requested;
    }

    /** Whether the requested checkpoint is written, or there are none in this job. */
    boolean settled() {
        return settled;
    }

    /** A checkpoint is under way; the world must not change until all ranks know how it ended. */
    boolean writing() {
        return pending != null;
    }

    /** For the vote: the step whose parts this rank has finished, well or not. */
    long written() {
        return pending != null && pending.parts().isDone() ? pending.state().step() : 0;
    }

    /** A new world begins: nothing is under way in it. */
    void entered(Plan plan) {
        pending = null;
        if (plan.config().runState() == RunState.STOPPED) {
            request();
        }
    }

    void atBoundary(World world, JobSession job, Vote.Verdict verdict, boolean stepped) {
        if (pending != null) {
            if (verdict.checkpointWrittenByAll() >= pending.state().step()) {
                finish(world, pending);
            }
            return;
        }
        TrainingConfig config = world.plan().config();
        if (config.checkpointEverySteps() == 0) {
            settled = requested;
            return;
        }
        boolean due = stepped && job.committedStep() % config.checkpointEverySteps() == 0;
        boolean last = stepped && job.committedStep() == config.maxSteps();
        if (due || last || verdict.checkpointWanted()) {
            pending = begin(world, job, verdict.checkpointWanted());
        }
    }

    private Pending begin(World world, JobSession job, boolean serves) {
        var state = new CheckpointState(
                job.job(),
                job.spec().attempt(),
                job.committedStep(),
                job.samples(),
                world.generation(),
                job.spec().seed(),
                job.spec().microBatch(),
                job.spec().model(),
                world.plan().config(),
                job.tokens().fingerprint(),
                job.parent());
        int rank = world.me().rank().value();
        FloatBuffer parameters = rank == 0 ? copy(job.trainer().parameters()) : null;
        SortedMap<Integer, FloatBuffer> moments = new TreeMap<>();
        for (var shard : job.trainer().layout().shards()) {
            if (world.plan()
                    .shardMap()
                    .primary(shard.index())
                    .equals(world.me().worker().ref().id())) {
                moments.put(shard.index(), copy(job.shards().floats(shard.index())));
            }
        }
        var layout = job.trainer().layout();
        CheckpointSave save = store.begin(state.job(), state.attempt(), state.generation(), state.step());
        return new Pending(
                save, state, serves, writer.submit(() -> write(save, state, layout, rank, parameters, moments)));
    }

    private static long[] write(
            CheckpointSave save,
            CheckpointState state,
            ParameterLayout layout,
            int rank,
            @Nullable FloatBuffer parameters,
            SortedMap<Integer, FloatBuffer> moments) {
        try {
            var parts = new ArrayList<Part>();
            if (parameters != null) {
                parts.add(save.writeModel(layout, parameters));
            }
            parts.add(save.writeMoments(rank, layout, moments));
            return words(parts);
        } catch (CheckpointException failure) {
            log.atError()
                    .addKeyValue("job", state.job())
                    .addKeyValue("step", state.step())
                    .setCause(failure)
                    .log("checkpoint part not written, the checkpoint is given up");
            long[] failed = Arrays.copyOf(Part.failedWords(), PARTS_PER_RANK_MAX * Part.WORDS);
            failed[Part.WORDS] = NO_PART;
            return failed;
        }
    }

    private static long[] words(List<Part> parts) {
        long[] words = new long[PARTS_PER_RANK_MAX * Part.WORDS];
        for (int slot = 0; slot < PARTS_PER_RANK_MAX; slot++) {
            if (slot < parts.size()) {
                System.arraycopy(parts.get(slot).toWords(), 0, words, slot * Part.WORDS, Part.WORDS);
            } else {
                words[slot * Part.WORDS] = NO_PART;
            }
        }
        return words;
    }

    private void finish(World world, Pending done) {
        long[] all = world.members().allGather(resultOf(done.parts()));
        if (world.me().rank().value() == 0) {
            int shards = world.plan().shardMap().shards();
            writer.execute(() -> publish(done, shards, all));
        }
        if (done.serves()) {
            requested = false;
            settled = true;
        }
        pending = null;
    }

    private void publish(Pending done, int shards, long[] all) {
        CheckpointState state = done.state();
        try {
            var parts = new ArrayList<Part>();
            for (int at = 0; at < all.length; at += Part.WORDS) {
                if (all[at] != NO_PART) {
                    parts.add(Part.fromWords(all, at));
                }
            }
            CheckpointSave.Published published = done.save().publish(state, shards, parts);
            events.report(new Event.CheckpointWritten(
                    state.job(),
                    state.attempt(),
                    state.generation(),
                    state.step(),
                    published.directory().toString(),
                    published.bytes()));
            store.prune(state.job(), state.attempt(), keep);
        } catch (CheckpointException failure) {
            log.atError()
                    .addKeyValue("job", state.job())
                    .addKeyValue("step", state.step())
                    .setCause(failure)
                    .log("checkpoint not published, the one before stays the newest");
        }
    }

    /** Waits until what is settled is also on disk and reported. */
    void awaitPublished() {
        resultOf(writer.submit(() -> new long[0]));
    }

    private static long[] resultOf(Future<long[]> parts) {
        try {
            return parts.get();
        } catch (ExecutionException failure) {
            throw new IllegalStateException("the writer's tasks return failures as values", failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a checkpoint was being written", interrupted);
        }
    }

    private static FloatBuffer copy(FloatBuffer source) {
        FloatBuffer from = source.duplicate().clear();
        return ByteBuffer.allocateDirect(from.capacity() * Float.BYTES)
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer()
                .put(from)
                .flip();
    }

    /** Finishes what was begun. */
    @Override
    public void close() {
        writer.shutdown();
        try {
            if (!writer.awaitTermination(CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                log.atWarn().log("a checkpoint was still being written at the end, it is given up");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
