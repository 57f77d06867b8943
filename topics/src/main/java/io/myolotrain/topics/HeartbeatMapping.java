package io.myolotrain.topics;

import io.myolotrain.core.coordination.Activity;
import io.myolotrain.core.coordination.Heartbeat;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.schemas.avro.CollectiveWait;
import io.myolotrain.schemas.avro.WorkerActivity;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Heartbeats, with what the worker is doing. */
final class HeartbeatMapping {
    private HeartbeatMapping() {}

    static io.myolotrain.schemas.avro.Heartbeat toAvro(Heartbeat heartbeat) {
        return new io.myolotrain.schemas.avro.Heartbeat(
                ModelMapping.toAvro(heartbeat.worker()),
                heartbeat.sequence(),
                heartbeat.activity().map(HeartbeatMapping::toAvro).orElse(null));
    }

    private static WorkerActivity toAvro(Activity activity) {
        return new WorkerActivity(
                activity.job().value(),
                activity.generation().value(),
                activity.rank(),
                activity.committedStep(),
                activity.sinceCommitMillis(),
                activity.stepMillis(),
                activity.waiting().map(HeartbeatMapping::toAvro).orElse(null));
    }

    private static CollectiveWait toAvro(Activity.Waiting waiting) {
        return new CollectiveWait(
                waiting.operation(),
                waiting.sequence(),
                waiting.millis(),
                waiting.late().stream().map(ModelMapping::toAvro).toList());
    }

    static Heartbeat toCore(PoolId pool, io.myolotrain.schemas.avro.Heartbeat heartbeat) {
        return new Heartbeat(
                pool,
                ModelMapping.toCore(heartbeat.getWorker()),
                heartbeat.getSequence(),
                Optional.ofNullable(heartbeat.getActivity()).map(HeartbeatMapping::toCore));
    }

    private static Activity toCore(WorkerActivity activity) {
        return new Activity(
                new JobId(activity.getJob()),
                new Generation(activity.getGeneration()),
                activity.getRank(),
                activity.getCommittedStep(),
                activity.getSinceCommitMillis(),
                activity.getStepMillis(),
                waiting(activity.getWaiting()));
    }

    private static Optional<Activity.Waiting> waiting(@Nullable CollectiveWait wait) {
        return Optional.ofNullable(wait)
                .map(w -> new Activity.Waiting(
                        w.getOperation(),
                        w.getSequence(),
                        w.getMillis(),
                        w.getLate().stream().map(ModelMapping::toCore).toList()));
    }
}
