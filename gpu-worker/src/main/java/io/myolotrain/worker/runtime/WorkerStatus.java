package io.myolotrain.worker.runtime;

import io.myolotrain.core.model.TrainingConfig.RunState;

/**
 * What the worker says on its health page.
 *
 * @param job empty when it stands by
 */
public record WorkerStatus(String state, String job, long generation, int rank, int worldSize, long committedStep) {
    static final WorkerStatus STANDBY = new WorkerStatus("standby", "", 0, -1, 0, 0);
    static final WorkerStatus WAITING_FOR_PLAN = new WorkerStatus("waiting-for-plan", "", 0, -1, 0, 0);

    static WorkerStatus in(World world, JobSession session) {
        RunState state = world.plan().config().runState();
        return new WorkerStatus(
                state == RunState.RUNNING ? "training" : state.name().toLowerCase(java.util.Locale.ROOT),
                session.job().value(),
                world.generation().value(),
                world.me().rank().value(),
                world.plan().worldSize(),
                session.committedStep());
    }
}
