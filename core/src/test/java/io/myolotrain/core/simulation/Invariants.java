package io.myolotrain.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.Coordinator;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.coordination.JobPlans;
import io.myolotrain.core.coordination.JobState;
import io.myolotrain.core.coordination.JournalEntry;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.MicroBatchRange;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.WorkerId;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What must hold at every event, whatever happens; numbers are the house's. Invariant 5 is the replay at the end. */
final class Invariants {
    private boolean nothingIsLost;

    /** Worlds by generation, as they truly came to be. */
    private final Map<Generation, World> worlds = new TreeMap<>();

    private Generation newest = Generation.NONE;
    private Lineage current = Lineage.fromTheSeed();
    private int newestWorldSize;

    Invariants(boolean nothingIsLost) {
        this.nothingIsLost = nothingIsLost;
    }

    // ---- decisions ----

    void afterDecision(ClusterState before, JournalEntry entry, Coordinator.Outcome outcome) {
        ClusterState state = before;
        List<Fact> facts = outcome.decision().facts();
        for (Fact fact : facts) {
            if (fact instanceof Fact.PlanIssued issued) {
                planIssued(issued, state);
            } else if (fact instanceof Fact.PlanActivated activated) {
                check(worlds.containsKey(activated.generation()), "only what was adopted comes into force: " + fact);
            } else if (fact instanceof Fact.ProgressRecorded progress) {
                recorded(progress, committed(state));
            } else if (fact instanceof Fact.Refused || fact instanceof Fact.StaleIgnored) {
                // 6, 7: what is refused or stale has no effect
                check(facts.size() == 1, "nothing else comes of a refused or stale event: " + entry + " " + facts);
            }
            state = state.apply(fact);
        }
        if (!state.withLastOffset(entry.offset()).equals(outcome.state())) {
            assertThat(state.withLastOffset(entry.offset()))
                    .as("the state is the fold of the facts")
                    .isEqualTo(outcome.state());
        }
        outcome.state().jobs().values().forEach(job -> assertConsistent(job, outcome.state()));
    }

    private static void assertConsistent(JobState job, ClusterState state) {
        check(job.plans().attempts() <= JobPlans.ATTEMPTS_MAX, "plans that fail in a row are bounded");
        job.active()
                .ifPresent(active ->
                        check(!active.generation().isAfter(job.plans().last()), "the plan in force was issued"));
        job.pending()
                .ifPresent(pending -> check(
                        state.timers().containsKey("plan:" + job.id() + ":" + pending.generation()),
                        "a pending plan is not waited for without end"));
        job.accusation()
                .ifPresent(a -> check(
                        state.timers().containsKey("verdict:" + job.id() + ":" + a.generation()),
                        "an accusation is not waited for without end"));
    }

    /** Cheaper than an assertion that describes itself; these run millions of times. */
    private static void check(boolean holds, String rule) {
        if (!holds) {
            throw new AssertionError(rule);
        }
    }

    private void planIssued(Fact.PlanIssued issued, ClusterState before) {
        Plan plan = issued.plan();
        // 1: generations only grow
        check(plan.generation().isAfter(newest), "generations only grow: " + plan.generation() + " after " + newest);
        newest = plan.generation();
        // 2: each micro-batch has exactly one rank, each shard exactly its owners
        int next = 0;
        Set<WorkerId> members = new HashSet<>();
        for (Plan.Member member : plan.members()) {
            MicroBatchRange block = member.microBatches();
            check(block.first() == next, "micro-batches have one rank each: " + plan.members());
            next = block.end();
            members.add(member.worker().ref().id());
        }
        check(next == plan.microBatches(), "every micro-batch has a rank: " + plan.members());
        int owners = Math.min(plan.spec().replicas(), members.size());
        for (List<WorkerId> of : plan.shardMap().owners()) {
            check(
                    of.size() == owners && members.containsAll(of) && new TreeSet<>(of).size() == owners,
                    "a shard has its owners among the members: " + of + " of " + members);
        }
        check(issued.movedBytes() == issued.lowerBoundBytes(), "a plan moves the least that it can");
        plan.resumeStep()
                .ifPresent(step -> check(
                        step == 0
                                || before.jobs().values().stream()
                                        .flatMap(j -> j.checkpoints().stream())
                                        .anyMatch(c -> c.step() == step),
                        "resumes from a checkpoint that was recorded, or the seed: step=" + step));
    }

    private void recorded(Fact.ProgressRecorded fact, long committed) {
        // 4: never lost, never twice
        check(fact.step() > committed, "a step counts once: step=" + fact.step() + " after=" + committed);
        World world = worlds.get(fact.generation());
        // 3: each sample once, in the job's order
        check(
                world != null && world.lineage.held(fact.step(), fact.samples()),
                "only what was committed counts, with its samples: " + fact);
    }

    static long committed(ClusterState state) {
        return state.jobs().values().stream()
                .mapToLong(JobState::committedStep)
                .findFirst()
                .orElse(0);
    }

    // ---- worlds ----

    /** The members run under the plan from now on, with the state of the source. */
    void switched(World world, World source) {
        adopted(world);
        if (nothingIsLost) {
            assertThat(world.committed).as("no committed step is lost").isEqualTo(source.lineage.lastStep());
        }
        current = world.lineage;
    }

    /** The members run from a checkpoint or the seed; only their line of steps counts from now on. */
    void resumed(World world) {
        check(
                !nothingIsLost || newestWorldSize < 2 || current.lastStep() == world.committed,
                "where one of several dies at a time nothing is lost: generation=" + world.plan.generation());
        adopted(world);
        current = world.lineage;
    }

    private void adopted(World world) {
        @Nullable World twice = worlds.put(world.plan.generation(), world);
        check(twice == null, "a generation has one world: generation=" + world.plan.generation());
        newestWorldSize = world.members.size();
    }

    /** A group that is given up and does not know may go on in vain; no other may train beside the one that counts. */
    void training(World world) {
        if (world.lineage == current) {
            worlds.values()
                    .forEach(other -> check(
                            other == world || other.broken || other.lineage != current,
                            "two groups train at the same time: " + other.plan.generation() + " and "
                                    + world.plan.generation()));
        }
    }

    /** From now on several may die at once. */
    void manyMayDie() {
        nothingIsLost = false;
    }

    Lineage current() {
        return current;
    }
}
