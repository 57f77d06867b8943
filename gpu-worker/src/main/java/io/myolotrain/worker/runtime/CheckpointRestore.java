package io.myolotrain.worker.runtime;

import io.myolotrain.core.model.Plan;
import io.myolotrain.worker.checkpoint.Candidate;
import io.myolotrain.worker.checkpoint.CheckpointException;
import io.myolotrain.worker.checkpoint.CheckpointState;
import io.myolotrain.worker.checkpoint.CheckpointStore;
import io.myolotrain.worker.checkpoint.LoadedCheckpoint;
import io.myolotrain.worker.comm.Communicator;
import java.nio.FloatBuffer;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the newest checkpoint that every rank can load, and loads it; without one, everyone starts from the seed. The ranks
 * agree by exchange: nobody resumes at a step that another cannot reach (a directory that is not shared, a damaged file).
 */
final class CheckpointRestore implements StateRestore {
    private static final Logger log = LoggerFactory.getLogger(CheckpointRestore.class);
    private static final long NONE = -1;

    private final CheckpointStore store;

    CheckpointRestore(CheckpointStore store) {
        this.store = store;
    }

    @Override
    public long restore(Communicator group, Plan plan, JobSession session, long lostStep) {
        OptionalLong below = OptionalLong.empty();
        while (true) {
            LoadedCheckpoint mine = newest(plan, below);
            long agreed = min(group.allGather(new long[] {stepOf(mine)}));
            if (agreed == NONE) {
                return fromSeed(plan, session, lostStep);
            }
            LoadedCheckpoint chosen = stepOf(mine) == agreed ? mine : exactly(plan, agreed);
            boolean all = min(group.allGather(new long[] {chosen == null ? 0 : 1})) == 1;
            if (all && chosen != null) {
                return load(plan, session, chosen, lostStep);
            }
            below = OptionalLong.of(agreed);
        }
    }

    private @Nullable LoadedCheckpoint newest(Plan plan, OptionalLong below) {
        for (Candidate candidate : store.candidates(plan.job(), plan.attempt())) {
            if (below.isEmpty() || candidate.step() < below.getAsLong()) {
                LoadedCheckpoint loaded = exactly(plan, candidate.step());
                if (loaded != null) {
                    return loaded;
                }
            }
        }
        return null;
    }

    private @Nullable LoadedCheckpoint exactly(Plan plan, long step) {
        try {
            return store.open(plan.job(), plan.attempt(), step);
        } catch (CheckpointException damaged) {
            log.atWarn()
                    .addKeyValue("job", plan.job())
                    .addKeyValue("step", step)
                    .addKeyValue("reason", damaged.getMessage())
                    .log("checkpoint skipped, trying the one before");
            return null;
        }
    }

    private static long stepOf(@Nullable LoadedCheckpoint checkpoint) {
        return checkpoint == null ? NONE : checkpoint.state().step();
    }

    private static long min(long[] words) {
        long min = words[0];
        for (long word : words) {
            min = Math.min(min, word);
        }
        return min;
    }

    private static long fromSeed(Plan plan, JobSession session, long lostStep) {
        session.trainer().initialise();
        session.restored(0, 0);
        log.atInfo()
                .addKeyValue("job", plan.job())
                .addKeyValue("generation", plan.generation())
                .addKeyValue("lostStep", lostStep)
                .log("no checkpoint: starting from the seed");
        return 0;
    }

    private static long load(Plan plan, JobSession session, LoadedCheckpoint checkpoint, long lostStep) {
        String data = session.tokens().fingerprint();
        if (!checkpoint.state().dataFingerprint().equals(data)) {
            throw new CheckpointException("a job goes on with the data that it was trained on: checkpoint="
                    + checkpoint.state().dataFingerprint() + " data=" + data + " source="
                    + session.spec().data()
                    + "; restore the data, or submit a new job");
        }
        var layout = session.trainer().layout();
        checkpoint.readParameters(layout, session.trainer().parameters());
        SortedMap<Integer, FloatBuffer> moments = new TreeMap<>();
        for (int shard : session.shards().held()) {
            moments.put(shard, session.shards().floats(shard));
        }
        checkpoint.readMoments(layout, moments);
        CheckpointState state = checkpoint.state();
        session.restored(state.step(), state.samplesConsumed());
        session.restoredFrom(state.attempt() + "/" + state.step());
        log.atInfo()
                .addKeyValue("job", plan.job())
                .addKeyValue("generation", plan.generation())
                .addKeyValue("step", state.step())
                .addKeyValue("lostStep", lostStep)
                .log("restored parameters, moments, data position and step from the checkpoint");
        return session.shards().bytesHeld();
    }
}
