package io.myolotrain.worker.runtime;

import io.myolotrain.core.coordination.Activity;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.worker.comm.Communicator;
import io.myolotrain.worker.comm.Waiting;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Where the training thread is, for other threads: immutable, replaced at each step boundary. What it waits for inside a
 * collective comes from the communicator.
 *
 * @param plan in force, being entered, or last left
 * @param group null while the worker waits for a plan
 * @param sinceNanos {@link System#nanoTime()} of the last commit, or of the change of scene
 * @param stepMicros median of recent steps, 0 before the first
 */
record Scene(
        Plan plan, WorkerRef self, @Nullable Communicator group, long committedStep, long sinceNanos, long stepMicros) {

    static Scene of(Plan plan, WorkerRef self, Communicator group, long committedStep, long stepMicros) {
        return new Scene(plan, self, group, committedStep, System.nanoTime(), stepMicros);
    }

    Scene waitingForPlan() {
        return group == null ? this : new Scene(plan, self, null, committedStep, System.nanoTime(), stepMicros);
    }

    Activity activity() {
        int rank = group == null
                ? -1
                : plan.member(self).map(member -> member.rank().value()).orElse(-1);
        return new Activity(
                plan.job(),
                plan.generation(),
                rank,
                committedStep,
                millisSince(sinceNanos),
                TimeUnit.MICROSECONDS.toMillis(stepMicros),
                group == null ? Optional.empty() : group.waiting().map(this::waiting));
    }

    private Activity.Waiting waiting(Waiting waiting) {
        return new Activity.Waiting(
                waiting.operation(),
                waiting.sequence(),
                millisSince(waiting.startNanos()),
                waiting.lateRanks().stream()
                        .map(rank -> plan.participants().get(rank).ref())
                        .toList());
    }

    private static long millisSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }
}
