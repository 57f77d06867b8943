package io.myolotrain.ui.live;

import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.JobState;
import io.myolotrain.core.coordination.PoolWorker;
import io.myolotrain.core.diagnosis.Finding;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.TrainingConfig;
import io.myolotrain.core.planning.ConfigKey;
import io.myolotrain.ui.live.JobView.CheckpointView;
import io.myolotrain.ui.live.JobView.PlanView;
import io.myolotrain.ui.live.JobView.Progress;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** From the coordinator's state to what the page shows. */
final class JobViews {
    private JobViews() {}

    static JobView job(JobState job, JobTrack track, List<Finding> findings) {
        var spec = job.spec();
        return new JobView(
                job.id().value(),
                spec.attempt(),
                spec.pool().value(),
                job.phase(),
                track.phaseReason,
                track.acceptedAtMs,
                spec.model(),
                spec.data(),
                spec.seed(),
                spec.microBatch(),
                config(job.desired()),
                progress(job, track),
                job.active().map(PlanView::of).orElse(null),
                job.pending().map(PlanView::of).orElse(null),
                job.lastCheckpoint()
                        .map(c -> new CheckpointView(c.step(), c.directory(), c.bytes(), track.checkpointAtMs))
                        .orElse(null),
                track.generations(),
                findings);
    }

    static Progress progress(JobState job, JobTrack track) {
        double stepsPerSecond = track.stepsPerSecond.perSecond();
        long stepsLeft = Math.max(0, job.desired().maxSteps() - job.committedStep());
        boolean stepped = job.committedStep() > 0;
        double loss = job.lastLoss();
        return new Progress(
                job.committedStep(),
                job.desired().maxSteps(),
                job.samples(),
                stepped ? finite(loss) : null,
                stepped && !Double.isFinite(loss) ? Double.toString(loss) : "",
                finite(track.tokensPerSecond()),
                finite(stepsPerSecond),
                stepsPerSecond > 0 ? Math.round(stepsLeft * 1_000.0 / stepsPerSecond) : null,
                track.lastStepAtMs);
    }

    static List<WorkerView> workers(ClusterState state) {
        return state.workers().values().stream()
                .map(worker -> worker(state, worker))
                .toList();
    }

    private static WorkerView worker(ClusterState state, PoolWorker worker) {
        var info = worker.info();
        Optional<JobState> job = worker.job().flatMap(state::job);
        Optional<Plan> active =
                job.flatMap(JobState::active).filter(p -> p.member(info.ref()).isPresent());
        Optional<Plan> plan = active.or(() ->
                job.flatMap(JobState::pending).filter(p -> p.member(info.ref()).isPresent()));
        return new WorkerView(
                info.ref().id().value(),
                info.ref().incarnation(),
                info.host(),
                info.address(),
                info.httpPort(),
                info.kernel(),
                info.version(),
                status(worker, active, plan),
                plan.map(Plan::job).map(JobId::value).orElse(null),
                plan.flatMap(p -> p.member(info.ref()))
                        .map(m -> m.rank().value())
                        .orElse(null),
                plan.map(p -> p.generation().value()).orElse(null));
    }

    private static WorkerView.State status(PoolWorker worker, Optional<Plan> active, Optional<Plan> plan) {
        if (worker.draining()) {
            return WorkerView.State.DRAINING;
        }
        if (active.isPresent()) {
            return WorkerView.State.MEMBER;
        }
        return plan.isPresent() ? WorkerView.State.JOINING : WorkerView.State.STANDBY;
    }

    /** By configuration key, as a person would type it. */
    static SortedMap<String, String> config(TrainingConfig config) {
        var by = new TreeMap<String, String>();
        for (ConfigKey key : ConfigKey.values()) {
            by.put(key.label(), value(key, config));
        }
        return by;
    }

    private static String value(ConfigKey key, TrainingConfig c) {
        return switch (key) {
            case WORKERS -> Integer.toString(c.workers());
            case BATCH -> Integer.toString(c.globalBatch());
            case LR -> plain(c.learningRate());
            case LR_MIN -> plain(c.minLearningRate());
            case SCHEDULE -> typed(c.schedule());
            case SCHEDULE_WARMUP -> Long.toString(c.warmupSteps());
            case SCHEDULE_END -> Long.toString(c.scheduleEndStep());
            case WEIGHT_DECAY -> plain(c.weightDecay());
            case BETA1 -> plain(c.beta1());
            case BETA2 -> plain(c.beta2());
            case EPS -> plain(c.epsilon());
            case CLIP -> plain(c.clipNorm());
            case PRECISION -> typed(c.precision());
            case CHECKPOINT_EVERY -> Long.toString(c.checkpointEverySteps());
            case EVAL_EVERY -> Long.toString(c.evalEverySteps());
            case STEPS -> Long.toString(c.maxSteps());
            case STATE -> typed(c.runState());
        };
    }

    private static String typed(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static String plain(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }

    private static @Nullable Double finite(double value) {
        return Double.isFinite(value) ? value : null;
    }
}
