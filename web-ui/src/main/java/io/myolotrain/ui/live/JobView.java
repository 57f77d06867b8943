package io.myolotrain.ui.live;

import io.myolotrain.core.coordination.JobPhase;
import io.myolotrain.core.diagnosis.Finding;
import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.Plan;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A job as the page shows it.
 *
 * @param config by configuration key, as a person would type it
 * @param plan in force, null before the first
 * @param pending issued but not applied yet
 * @param generations newest last; the oldest are forgotten beyond a bound
 * @param findings why it stands still, causes first; empty while nothing holds it up
 */
public record JobView(
        String id,
        String attempt,
        String pool,
        JobPhase phase,
        String phaseReason,
        @Nullable Long acceptedAtMs,
        ModelShape model,
        String data,
        long seed,
        int microBatch,
        SortedMap<String, String> config,
        Progress progress,
        @Nullable PlanView plan,
        @Nullable PlanView pending,
        @Nullable CheckpointView checkpoint,
        List<GenerationMark> generations,
        List<Finding> findings) {

    /**
     * @param loss of the last committed step, null when there is none or it is not finite (then {@code lossText} tells)
     * @param tokensPerSecond over the last seconds, null while unknown
     * @param etaMs until maxSteps at this rate, null while unknown
     */
    public record Progress(
            long step,
            long maxSteps,
            long samples,
            @Nullable Double loss,
            String lossText,
            @Nullable Double tokensPerSecond,
            @Nullable Double stepsPerSecond,
            @Nullable Long etaMs,
            @Nullable Long lastStepAtMs) {}

    public record PlanView(
            long generation, int dp, int tp, int pp, String transport, String reason, List<MemberView> members) {
        static PlanView of(Plan plan) {
            return new PlanView(
                    plan.generation().value(),
                    plan.mesh().dp(),
                    plan.mesh().tp(),
                    plan.mesh().pp(),
                    plan.transport().name(),
                    plan.reason(),
                    plan.members().stream()
                            .map(m -> new MemberView(
                                    m.rank().value(),
                                    m.worker().ref().id().value(),
                                    m.worker().ref().incarnation(),
                                    m.worker().host(),
                                    m.microBatches().first(),
                                    m.microBatches().count()))
                            .toList());
        }
    }

    public record MemberView(
            int rank, String worker, long incarnation, String host, int firstMicroBatch, int microBatches) {}

    public record CheckpointView(long step, String directory, long bytes, long atMs) {}

    /**
     * Where a generation began.
     *
     * @param offset of the journal entry that put it in force
     * @param stallMicros from the last step before it to its first, beyond a normal step
     */
    public record GenerationMark(
            long generation,
            long firstStep,
            long atMs,
            long offset,
            long stallMicros,
            long movedBytes,
            int workers,
            String reason) {}
}
