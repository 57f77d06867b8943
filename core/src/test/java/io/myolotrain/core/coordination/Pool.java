package io.myolotrain.core.coordination;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.Plan.Member;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.TrainingConfig;
import io.myolotrain.core.model.TrainingConfig.Precision;
import io.myolotrain.core.model.TrainingConfig.RunState;
import io.myolotrain.core.model.TrainingConfig.Schedule;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A pool under test: a coordinator, its state, and a short way to write down what happens. */
final class Pool {
    static final PoolId POOL = new PoolId("pool");
    static final JobId JOB = new JobId("job");
    static final String ATTEMPT = "attempt-1";
    static final int MICRO_BATCH = 4;

    final Coordinator coordinator = new Coordinator();
    final List<JournalEntry> journal = new ArrayList<>();
    final List<Decision> decisions = new ArrayList<>();
    ClusterState state = ClusterState.empty(POOL);
    long atMs = 1_000;

    static TrainingConfig config(int workers, long steps) {
        return new TrainingConfig(
                workers,
                32,
                1e-3,
                1e-4,
                Schedule.COSINE,
                10,
                1_000,
                0.1,
                0.9,
                0.95,
                1e-8,
                1,
                Precision.FLOAT32,
                10,
                0,
                steps,
                RunState.RUNNING);
    }

    static JobSpec spec(JobId job, String attempt, int workers, long steps) {
        return new JobSpec(
                job,
                POOL,
                attempt,
                new ModelShape(ModelShape.Family.GPT, 4, 128, 4, 128, 256, 1, 0.1),
                42,
                MICRO_BATCH,
                "data",
                JobSpec.Transport.AUTO,
                2,
                config(workers, steps));
    }

    static WorkerRef ref(String id, long incarnation) {
        return new WorkerRef(new WorkerId(id), incarnation);
    }

    static WorkerRef ref(String id) {
        return ref(id, 1);
    }

    static WorkerInfo worker(WorkerRef ref, String host) {
        return new WorkerInfo(ref, POOL, host, "127.0.0.1", 7000, 7001, 7002, "generic", "3.0.0");
    }

    List<Fact> on(Event event) {
        return at(atMs += 10, event);
    }

    List<Fact> at(long timeMs, Event event) {
        atMs = timeMs;
        var entry = new JournalEntry(journal.size(), "event-" + journal.size(), timeMs, event);
        Coordinator.Outcome outcome = coordinator.process(state, entry);
        journal.add(entry);
        decisions.add(outcome.decision());
        state = outcome.state();
        return outcome.decision().facts();
    }

    List<Fact> join(String... ids) {
        var facts = new ArrayList<Fact>();
        for (String id : ids) {
            facts.addAll(on(new Event.WorkerJoined(worker(ref(id), "host"))));
        }
        return facts;
    }

    List<Fact> submit(int workers, long steps) {
        return on(new Event.JobSubmitted(spec(JOB, ATTEMPT, workers, steps), "alice"));
    }

    List<Fact> change(String... keysAndValues) {
        Map<String, String> changes = new TreeMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            changes.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return on(new Event.ConfigChangeRequested(JOB, new TreeMap<>(changes), "alice"));
    }

    JobState job() {
        return state.jobs().get(JOB);
    }

    Plan active() {
        return job().active().orElseThrow();
    }

    Plan pending() {
        return job().pending().orElseThrow();
    }

    /** Rank 0 says that the pending plan is in force. */
    List<Fact> applied() {
        Plan plan = pending();
        return applied(plan, plan.members().get(0).worker().ref());
    }

    List<Fact> applied(Plan plan, WorkerRef by) {
        return on(new Event.PlanApplied(JOB, ATTEMPT, plan.generation(), by, job().committedStep() + 1, 1_000, 0));
    }

    /** Every rank of the plan reports the step. */
    List<Fact> step(Plan plan, long step) {
        var facts = new ArrayList<Fact>();
        plan.members().forEach(member -> facts.addAll(on(stepBy(plan, member, step))));
        return facts;
    }

    static Event.StepCompleted stepBy(Plan plan, Member member, long step) {
        long position = (step - 1) * plan.config().globalBatch()
                + (long) member.microBatches().first() * plan.spec().microBatch();
        return new Event.StepCompleted(
                plan.job(),
                plan.attempt(),
                plan.generation(),
                step,
                member.rank(),
                member.worker().ref(),
                member.microBatches(),
                position,
                member.microBatches().count() * plan.spec().microBatch(),
                0,
                2.5,
                1,
                1e-3,
                1_000);
    }

    List<Fact> checkpoint(Generation generation, long step) {
        return on(new Event.CheckpointWritten(JOB, ATTEMPT, generation, step, "checkpoints/" + step, 100));
    }

    List<Fact> failed(Plan plan, String by, String... suspects) {
        var refs = new ArrayList<WorkerRef>();
        for (String suspect : suspects) {
            refs.add(ref(suspect));
        }
        return on(new Event.CollectiveFailed(
                JOB, ATTEMPT, plan.generation(), ref(by), job().committedStep(), refs, "peer closed"));
    }

    List<String> members(Plan plan) {
        return plan.members().stream().map(m -> m.worker().ref().id().value()).toList();
    }

    List<String> departing(Plan plan) {
        return plan.departing().stream().map(w -> w.ref().id().value()).toList();
    }
}
