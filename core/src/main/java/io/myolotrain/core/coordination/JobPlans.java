package io.myolotrain.core.coordination;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.TrainingConfig.RunState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The plans of one job.
 *
 * <pre>
 *            issued             applied by a member
 *   (none) ──────────> pending ─────────────────────> active ──> (none), when the plan stops the job
 *                         │                              ^
 *                         └─ withdrawn ──> overtaken ────┘  the vote passed before the withdrawal was heard
 * </pre>
 *
 * @param active the plan in force
 * @param firstStep first step of the plan in force, 0 when there is none
 * @param pending issued, not applied yet; the workers prepare it
 * @param overtaken plans withdrawn since the last activation, oldest first: a vote may have passed unseen, so each of
 *     them can still turn out to be in force
 * @param last highest generation ever issued for the job id
 * @param era first generation that counts: a plan that resumes from a checkpoint starts a new era
 * @param broken highest generation whose ranks lost their communicator
 * @param attempts plans issued since the last activation or the last news that could help
 * @param globalBatches samples per step of the latest generations
 */
public record JobPlans(
        Optional<Plan> active,
        long firstStep,
        Optional<Plan> pending,
        List<Plan> overtaken,
        Generation last,
        Generation era,
        Generation broken,
        int attempts,
        SortedMap<Generation, Integer> globalBatches) {

    static final int OVERTAKEN_MAX = 4; // oldest dropped: a plan so old is not adopted any more
    static final int GLOBAL_BATCHES_MAX = 16; // oldest dropped: steps of older generations are stale

    /** Plans that may fail one after the other before the coordinator waits for news. */
    public static final int ATTEMPTS_MAX = 8;

    public JobPlans {
        overtaken = List.copyOf(overtaken);
        globalBatches = Collections.unmodifiableSortedMap(new TreeMap<>(globalBatches));
    }

    /** @param last highest generation of an earlier attempt under the same job id */
    static JobPlans startingAfter(Generation last) {
        return new JobPlans(
                Optional.empty(),
                0,
                Optional.empty(),
                List.of(),
                last,
                last.next(),
                Generation.NONE,
                0,
                Collections.emptySortedMap());
    }

    JobPlans issued(Plan plan) {
        Generation generation = plan.generation();
        var batches = new TreeMap<>(globalBatches);
        batches.put(generation, plan.config().globalBatch());
        if (batches.size() > GLOBAL_BATCHES_MAX) {
            batches.pollFirstEntry();
        }
        Generation newEra = plan.resumeStep().isPresent() ? generation : era;
        return new JobPlans(
                active, firstStep, Optional.of(plan), overtaken, generation, newEra, broken, attempts + 1, batches);
    }

    JobPlans withdrawn(Generation generation) {
        if (active.isPresent() && active.get().generation().equals(generation)) {
            return new JobPlans(Optional.empty(), 0, pending, overtaken, last, era, broken, attempts, globalBatches);
        }
        var plans = new ArrayList<>(overtaken);
        pending.ifPresent(plans::add);
        if (plans.size() > OVERTAKEN_MAX) {
            plans.remove(0);
        }
        return new JobPlans(active, firstStep, Optional.empty(), plans, last, era, broken, attempts, globalBatches);
    }

    /** A plan in force that stops the job leaves none in force. Pending plans that are newer stay pending. */
    JobPlans activated(Generation generation, long first) {
        Plan plan = issuedButNotActive(generation)
                .orElseThrow(() -> new IllegalStateException(
                        "only an issued plan becomes active: generation=" + generation + " last=" + last));
        Optional<Plan> inForce = plan.config().runState() == RunState.STOPPED ? Optional.empty() : Optional.of(plan);
        List<Plan> newer = overtaken.stream()
                .filter(p -> p.generation().isAfter(generation))
                .toList();
        return new JobPlans(
                inForce,
                inForce.isPresent() ? first : 0,
                pending.filter(p -> p.generation().isAfter(generation)),
                newer,
                last,
                era,
                broken,
                0,
                globalBatches);
    }

    JobPlans broken(Generation generation) {
        return new JobPlans(active, firstStep, pending, overtaken, last, era, generation, attempts, globalBatches);
    }

    JobPlans fresh() {
        return new JobPlans(active, firstStep, pending, overtaken, last, era, broken, 0, globalBatches);
    }

    /** The pending plan or an overtaken one, by generation. */
    Optional<Plan> issuedButNotActive(Generation generation) {
        if (pending.isPresent() && pending.get().generation().equals(generation)) {
            return pending;
        }
        return overtaken.stream().filter(p -> p.generation().equals(generation)).findFirst();
    }

    /** Whether the ranks of the plan in force have lost their communicator. */
    public boolean activeIsBroken() {
        return active.isPresent() && !active.get().generation().isAfter(broken);
    }

    /** Whether the step belongs to a later world than this generation's: the plan in force began with it or before it. */
    boolean endedBefore(Generation generation, long step) {
        return active.isPresent() && active.get().generation().isAfter(generation) && step >= firstStep;
    }

    public boolean exhausted() {
        return attempts >= ATTEMPTS_MAX;
    }
}
