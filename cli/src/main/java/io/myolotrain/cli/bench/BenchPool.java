package io.myolotrain.cli.bench;

import io.myolotrain.cli.Main;
import io.myolotrain.cli.client.ClusterView;
import io.myolotrain.cli.client.Session;
import io.myolotrain.cli.component.WorkerCommand;
import io.myolotrain.cli.fleet.ChildJvm;
import io.myolotrain.cli.fleet.WorkerFleet;
import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.topics.Connection;
import io.myolotrain.topics.EventIngress;
import io.myolotrain.topics.Ingress;
import io.myolotrain.topics.ReadFrom;
import io.myolotrain.topics.TopicListener;
import io.myolotrain.topics.TopicReader;
import io.myolotrain.topics.Topics;
import io.myolotrain.worker.engine.LaunchFlags;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A pool for one measurement: a temporary cluster in this process, workers as processes. */
final class BenchPool implements AutoCloseable {
    private static final PoolId POOL = new PoolId("bench");
    private static final long TIMEOUT_NANOS = Duration.ofMinutes(3).toNanos();
    private static final Duration GRACE = Duration.ofSeconds(6);

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final TemporaryCluster cluster;
    private final Session session;
    private final ClusterView view;
    private final List<Decision> decisions = new CopyOnWriteArrayList<>();
    private final List<StepSeen> steps = new CopyOnWriteArrayList<>();
    private final Map<JobId, NavigableMap<Long, Set<Generation>>> runsOfSteps = new ConcurrentHashMap<>();
    private final List<NewsSeen> news = new CopyOnWriteArrayList<>();
    private volatile @Nullable Fact refused;
    private WorkerFleet fleet;
    private int replacements;

    /**
     * A committed step as its rank 0 reported it.
     *
     * @param atMs that worker's clock
     */
    record StepSeen(Event.StepCompleted step, long atMs) {}

    /**
     * What workers told besides their steps.
     *
     * @param atMs that worker's clock
     */
    record NewsSeen(Event event, long atMs) {}

    BenchPool() throws Exception {
        cluster = own(new TemporaryCluster());
        Connection connection = cluster.connection();
        session = own(Session.open(connection, POOL));
        view = own(ClusterView.open(session, this::decided));
        TopicListener<Ingress> watch = received -> {
            if (received.value() instanceof EventIngress told) {
                if (told.event() instanceof Event.StepCompleted step) {
                    runsOfSteps
                            .computeIfAbsent(step.job(), job -> new ConcurrentSkipListMap<>())
                            .computeIfAbsent(step.step(), number -> ConcurrentHashMap.newKeySet())
                            .add(step.generation());
                    if (step.rank().value() == 0) {
                        steps.add(new StepSeen(step, told.header().sentAtMs()));
                    }
                } else {
                    news.add(new NewsSeen(told.event(), told.header().sentAtMs()));
                }
            }
        };
        own(TopicReader.open(connection, session.codecs(), Topics.STEP_COMPLETIONS, ReadFrom.completeHistory(), watch));
        fleet = fleet();
    }

    private <T extends AutoCloseable> T own(T part) {
        parts.push(part);
        return part;
    }

    private WorkerFleet fleet() {
        var flags = new ArrayList<>(LaunchFlags.jvmFlags());
        flags.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC"));
        return new WorkerFleet(
                new ChildJvm(flags, LaunchFlags.environment(), Main.class.getName()),
                id -> WorkerCommand.childArguments(new WorkerId(id), session, checkpoints()),
                new WorkerFleet.Options(cluster.directory().resolve("logs"), GRACE, false));
    }

    PoolId id() {
        return POOL;
    }

    Path directory() {
        return cluster.directory();
    }

    /** Starts workers and waits until the pool knows them. */
    void startWorkers(int count) throws IOException, InterruptedException {
        for (int i = 0; i < count; i++) {
            fleet.start("worker-" + i);
        }
        await("workers in the pool", state -> state.workers().size() == count);
    }

    /** Another one for one that was killed, under a new name: no id tells of two processes in the logs. */
    void startReplacement() throws IOException {
        fleet.start("replacement-" + replacements++);
    }

    /** As {@code kill -9} does, without delay between them; returns when they are gone. */
    void kill(List<String> ids) throws InterruptedException {
        fleet.kill(ids);
    }

    /** As SIGSTOP does. */
    void freeze(String id) throws IOException {
        fleet.freeze(id);
    }

    /** Worker processes that run now. */
    Set<WorkerId> running() {
        return fleet.running().stream().map(WorkerId::new).collect(Collectors.toUnmodifiableSet());
    }

    Path checkpoints() {
        return cluster.directory().resolve("jobs");
    }

    void stopWorkers() throws InterruptedException {
        fleet.close();
        fleet = fleet();
        await("an empty pool", state -> state.workers().isEmpty());
    }

    String publish(Event event) {
        String id = Session.newEventId();
        session.publish(id, event);
        return id;
    }

    ClusterState state() {
        return view.state();
    }

    List<Decision> decisions() {
        return decisions;
    }

    List<StepSeen> steps() {
        return steps;
    }

    /** In which generations each step was reported as committed, by any rank: who dies may take its own report along. */
    NavigableMap<Long, Set<Generation>> runsOfSteps(JobId job) {
        return runsOfSteps.getOrDefault(job, Collections.emptyNavigableMap());
    }

    List<NewsSeen> news() {
        return news;
    }

    void await(String what, Predicate<ClusterState> condition) throws InterruptedException {
        await(what, () -> condition.test(view.state()));
    }

    void await(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TIMEOUT_NANOS;
        while (!condition.getAsBoolean()) {
            refuseToWaitForARefusal();
            if (System.nanoTime() > deadline) {
                cluster.keepDirectory();
                throw new IllegalStateException("the benchmark waited too long for: " + what + "; worker logs in "
                        + cluster.directory().resolve("logs"));
            }
            Thread.sleep(2);
        }
    }

    /** On the reader's thread, once per decision: waits poll far more often, on the cores that are being measured. */
    private void decided(Decision decision) {
        decisions.add(decision);
        for (Fact fact : decision.facts()) {
            if (fact instanceof Fact.Refused) {
                refused = fact;
            }
        }
    }

    /** A benchmark asks for nothing that is refused; if it does, its wait has no end. */
    private void refuseToWaitForARefusal() {
        Fact found = refused;
        if (found != null) {
            throw new IllegalStateException("the coordinator refused what the benchmark asked: " + found);
        }
    }

    @Override
    public void close() throws Exception {
        fleet.close();
        while (!parts.isEmpty()) {
            parts.pop().close();
        }
    }
}
