package io.myolotrain.ui;

import io.myolotrain.core.coordination.Activity;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.coordination.Heartbeat;
import io.myolotrain.core.coordination.JobPhase;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.Mesh;
import io.myolotrain.core.model.MicroBatchRange;
import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.Rank;
import io.myolotrain.core.model.Refusal;
import io.myolotrain.core.model.ShardMap;
import io.myolotrain.core.model.TrainingConfig;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.core.sampling.Frame;
import io.myolotrain.core.sampling.Line;
import io.myolotrain.core.sampling.MetricFrame;
import io.myolotrain.core.sampling.MetricPoint;
import io.myolotrain.core.sampling.Origin;
import io.myolotrain.core.sampling.Summary;
import io.myolotrain.core.sampling.Window;
import io.myolotrain.ui.port.ClusterFeed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Tells the life of a pool as the decisions that its log would hold. */
public final class PoolStory {
    public static final int SEQUENCE_LENGTH = 128;
    private static final int MICRO_BATCH = 2;
    private long offset;
    private long atMs;

    public PoolStory(long startMs) {
        this.atMs = startMs;
    }

    public PoolStory after(long ms) {
        atMs += ms;
        return this;
    }

    public long atMs() {
        return atMs;
    }

    public Decision decision(String eventId, Fact... facts) {
        return new Decision(offset++, eventId, atMs, "1", "0".repeat(64), List.of(facts));
    }

    public Decision decision(Fact... facts) {
        return decision("event-" + offset, facts);
    }

    public Decision jobAccepted(String job, int workers) {
        return decision(new Fact.JobAccepted(spec(job, "a1", workers)));
    }

    public Decision joined(String worker) {
        return decision(new Fact.WorkerAdmitted(worker(worker)));
    }

    public Decision planned(String eventId, String job, long generation, String reason, String... workers) {
        return decision(eventId, planIssued(job, generation, reason, workers));
    }

    public Fact.PlanIssued planIssued(String job, long generation, String reason, String... workers) {
        return new Fact.PlanIssued(plan(job, generation, reason, workers), 1_048_576, 1_048_576);
    }

    public Decision activated(String job, long generation, long firstStep, long stallMicros) {
        return decision(
                new Fact.PlanActivated(new JobId(job), new Generation(generation), firstStep, stallMicros, 1_048_576));
    }

    public Decision phase(String job, JobPhase from, JobPhase to, String reason) {
        return decision(new Fact.PhaseChanged(new JobId(job), from, to, reason));
    }

    public Decision step(String job, long generation, long step, double loss) {
        return decision(new Fact.ProgressRecorded(new JobId(job), new Generation(generation), step, step * 16, loss));
    }

    public Decision checkpoint(String job, long step) {
        return decision(
                new Fact.CheckpointRecorded(new JobId(job), step, "checkpoints/" + job + "/" + step, 10_485_760));
    }

    public Decision accepted(String eventId, String job, SortedMap<String, String> changes, Fact... more) {
        var facts = new ArrayList<Fact>();
        facts.add(new Fact.ConfigAccepted(
                new JobId(job), changes, config(Integer.parseInt(changes.getOrDefault("workers", "2")))));
        facts.addAll(List.of(more));
        return decision(eventId, facts.toArray(Fact[]::new));
    }

    public Decision refused(String eventId, String job, String rule, String value, String nextStep) {
        return decision(eventId, new Fact.Refused(job, List.of(new Refusal(rule, value, nextStep))));
    }

    /** Four workers, one job on two of them, running. */
    public List<Decision> runningJob(String job) {
        return List.of(
                joined("w1"),
                joined("w2"),
                joined("w3"),
                joined("w4"),
                jobAccepted(job, 2),
                planned("event-plan", job, 1, "job submitted", "w1", "w2"),
                phase(job, JobPhase.WAITING, JobPhase.STARTING, "plan 1 issued"),
                activated(job, 1, 1, 0),
                phase(job, JobPhase.STARTING, JobPhase.RUNNING, "plan 1 applied"));
    }

    public static SortedMap<String, String> changes(String key, String value) {
        var changes = new TreeMap<String, String>();
        changes.put(key, value);
        return changes;
    }

    /** A sign of life of a worker that steps, or waits in an all-reduce for another one. */
    public ClusterFeed.Beat beat(String worker, int rank, String... waitsFor) {
        List<WorkerRef> late = Stream.of(waitsFor).map(id -> worker(id).ref()).toList();
        Optional<Activity.Waiting> waiting =
                late.isEmpty() ? Optional.empty() : Optional.of(new Activity.Waiting("AllReduce", 77, 900, late));
        var activity = new Activity(new JobId("demo"), new Generation(1), rank, 12, 950, 40, waiting);
        return new ClusterFeed.Beat(
                new Heartbeat(FakeFeed.POOL, worker(worker).ref(), atMs, Optional.of(activity)), atMs);
    }

    /** One reading of the job demo, as the sampler keeps it. */
    public static MetricPoint point(String name, long generation, long step, double value) {
        return new MetricPoint(line(generation), name, Window.EACH_STEP, 0, step, step, 1, 1, Summary.of(step, value));
    }

    /** What a rank of the job demo pictured at a step. */
    public static MetricFrame frame(long generation, long step, int rank, long atMs, Frame frame) {
        return new MetricFrame(new Origin(line(generation), step, new WorkerId("w" + (rank + 1)), rank, atMs), frame);
    }

    private static Line line(long generation) {
        return new Line(FakeFeed.POOL, new JobId("demo"), "a1", new Generation(generation));
    }

    public static WorkerInfo worker(String id) {
        return new WorkerInfo(
                new WorkerRef(new WorkerId(id), 1),
                FakeFeed.POOL,
                "host-" + id.charAt(id.length() - 1),
                "127.0.0.1",
                40_001,
                0,
                8_101,
                "openblas haswell",
                "3.0.0");
    }

    public static JobSpec spec(String job, String attempt, int workers) {
        var model = new ModelShape(ModelShape.Family.GPT, 4, 128, 4, SEQUENCE_LENGTH, 256, 1, 0.1);
        return new JobSpec(
                new JobId(job),
                FakeFeed.POOL,
                attempt,
                model,
                42,
                MICRO_BATCH,
                "kafka-clients-sources.jar",
                JobSpec.Transport.AUTO,
                2,
                config(workers));
    }

    private static TrainingConfig config(int workers) {
        return new TrainingConfig(
                workers,
                16,
                6e-4,
                6e-5,
                TrainingConfig.Schedule.COSINE,
                100,
                2_000,
                0.1,
                0.9,
                0.95,
                1e-8,
                1.0,
                TrainingConfig.Precision.FLOAT32,
                100,
                100,
                2_000,
                TrainingConfig.RunState.RUNNING);
    }

    private static Plan plan(String job, long generation, String reason, String... workers) {
        var members = new ArrayList<Plan.Member>();
        int share = 8 / workers.length;
        for (int rank = 0; rank < workers.length; rank++) {
            members.add(
                    new Plan.Member(new Rank(rank), worker(workers[rank]), new MicroBatchRange(rank * share, share)));
        }
        return new Plan(
                new JobId(job),
                "a1",
                new Generation(generation),
                new Generation(generation),
                Mesh.dataParallel(workers.length),
                members,
                List.of(),
                config(workers.length),
                spec(job, "a1", workers.length),
                ShardMap.EMPTY,
                JobSpec.Transport.SHARED_MEMORY,
                new Plan.CommThresholds(4_096, 1 << 20),
                Optional.empty(),
                reason);
    }
}
