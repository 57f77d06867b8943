package io.myolotrain.worker.runtime;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.Mesh;
import io.myolotrain.core.model.MicroBatchRange;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.Rank;
import io.myolotrain.core.model.ShardMap;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.core.training.ParameterLayout;
import io.myolotrain.worker.comm.Communicator;
import io.myolotrain.worker.comm.GroupConnector;
import io.myolotrain.worker.comm.GroupSpec;
import io.myolotrain.worker.data.MicroBatches;
import io.myolotrain.worker.data.TokenSources;
import io.myolotrain.worker.engine.LibTorchTrainer;
import io.myolotrain.worker.readings.SpanRecorder;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Two ranks that train in this process, with what protects a step from a death or without: the commit barrier after the
 * reduction, and a second owner of every shard. What the benchmark of their cost measures. Without them a death would end
 * the run.
 */
public final class PairTraining implements AutoCloseable {
    private static final int RANKS = 2;
    private static final Duration FORMING_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private final boolean isProtected;
    private final JobSpec spec;
    private final ExecutorService threads = Executors.newFixedThreadPool(RANKS);
    private final List<Member> members = new ArrayList<>();
    private final Plan plan;

    /** One rank: all of it belongs to one thread at a time. */
    private record Member(GroupConnector door, WorkerInfo info) {}

    private final List<JobSession> sessions = new ArrayList<>();
    private final List<World> worlds = new ArrayList<>();

    /** @param isProtected with barrier and replicas */
    public PairTraining(JobSpec spec, boolean isProtected) throws Exception {
        this.spec = spec;
        this.isProtected = isProtected;
        for (int rank = 0; rank < RANKS; rank++) {
            GroupConnector door = GroupConnector.open(InetAddress.getLoopbackAddress(), 0);
            var ref = new WorkerRef(new WorkerId("pair-" + rank), 1);
            members.add(new Member(
                    door, new WorkerInfo(ref, spec.pool(), "host", "127.0.0.1", door.peerPort(), 0, 0, "", "")));
        }
        plan = plan();
        var entering = new ArrayList<Callable<World>>();
        for (Member member : members) {
            JobSession session = open();
            sessions.add(session);
            entering.add(() -> enter(member, session));
        }
        worlds.addAll(together(entering));
    }

    private JobSession open() throws Exception {
        var tokens = TokenSources.open(
                spec.data(), spec.model().sequenceLength(), spec.model().vocabulary());
        var session = new JobSession(
                spec, new LibTorchTrainer(spec.model(), spec.seed()), tokens, new MicroBatches(tokens, spec));
        session.trainer().initialise();
        return session;
    }

    private World enter(Member member, JobSession session) {
        WorkerRef self = member.info().ref();
        int floats = session.trainer().layout().size() + 1;
        Communicator group = member.door().connect(GroupSpec.of(plan, self, floats), FORMING_TIMEOUT, () -> DEADLINE);
        StateRestore fresh = (g, p, s, lost) -> {
            s.restored(0, 0);
            return 0;
        };
        new Handover(group, plan, session, fresh, () -> {}).run();
        return World.of(plan, plan.member(self).orElseThrow(), session, group, group.prefix(RANKS));
    }

    private Plan plan() {
        int microBatches = spec.initialConfig().globalBatch() / spec.microBatch();
        int half = microBatches / RANKS;
        var ranks = List.of(
                new Plan.Member(new Rank(0), members.get(0).info(), new MicroBatchRange(0, half)),
                new Plan.Member(new Rank(1), members.get(1).info(), new MicroBatchRange(half, microBatches - half)));
        return new Plan(
                spec.job(),
                spec.attempt(),
                new Generation(1),
                new Generation(1),
                Mesh.dataParallel(RANKS),
                ranks,
                List.of(),
                spec.initialConfig(),
                spec,
                new ShardMap(owners()),
                JobSpec.Transport.SHARED_MEMORY,
                new Plan.CommThresholds(4_096, 1 << 20),
                Optional.empty(),
                "benchmark");
    }

    private List<List<WorkerId>> owners() {
        int shards = ParameterLayout.of(spec.model()).shards().size();
        var owners = new ArrayList<List<WorkerId>>();
        for (int shard = 0; shard < shards; shard++) {
            WorkerId primary = members.get(shard % RANKS).info().ref().id();
            WorkerId replica = members.get((shard + 1) % RANKS).info().ref().id();
            owners.add(isProtected ? List.of(primary, replica) : List.of(primary));
        }
        return owners;
    }

    /** Trains on: the mean over these steps. */
    public double millisPerStep(int steps) throws Exception {
        long started = System.nanoTime();
        var training = new ArrayList<Callable<Boolean>>();
        for (int rank = 0; rank < RANKS; rank++) {
            World world = worlds.get(rank);
            JobSession session = sessions.get(rank);
            training.add(() -> {
                for (int step = 0; step < steps; step++) {
                    step(world, session);
                }
                return true;
            });
        }
        together(training);
        return (System.nanoTime() - started) / 1e6 / steps;
    }

    private void step(World world, JobSession session) {
        ReducedStep step = GradientPhase.run(world, session, new SpanRecorder());
        if (isProtected) {
            var vote = new Vote(true, world.generation(), 0, false);
            if (!Vote.count(world.members().allGather(vote.words())).commit()) {
                throw new IllegalStateException("both ranks have computed the step: step=" + step.step());
            }
        }
        UpdatePhase.apply(session, step);
        world.members().allGather(session.trainer().parameters(), world.primaryRanges());
    }

    private <T> List<T> together(List<Callable<T>> parts) throws Exception {
        var futures = new ArrayList<Future<T>>();
        parts.forEach(part -> futures.add(threads.submit(part)));
        var results = new ArrayList<T>();
        for (Future<T> future : futures) {
            results.add(future.get());
        }
        return results;
    }

    @Override
    public void close() {
        threads.shutdown();
        worlds.forEach(world -> world.transition().close());
        sessions.forEach(JobSession::close);
        members.forEach(member -> member.door().close());
    }
}
