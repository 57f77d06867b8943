package io.myolotrain.cli.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.myolotrain.cli.Main;
import io.myolotrain.cli.TestJvm;
import io.myolotrain.cli.client.ClusterView;
import io.myolotrain.cli.client.Session;
import io.myolotrain.cli.component.WorkerCommand;
import io.myolotrain.cli.embedded.EmbeddedBroker;
import io.myolotrain.cli.embedded.Ports;
import io.myolotrain.cli.embedded.registry.RegistryServer;
import io.myolotrain.cli.fleet.ChildJvm;
import io.myolotrain.cli.fleet.WorkerFleet;
import io.myolotrain.coordinator.CoordinatorApp;
import io.myolotrain.coordinator.CoordinatorOptions;
import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.coordination.JobPhase;
import io.myolotrain.core.coordination.JobState;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.topics.Connection;
import io.myolotrain.topics.JournalLine;
import io.myolotrain.topics.ReadFrom;
import io.myolotrain.topics.TopicListener;
import io.myolotrain.topics.TopicReader;
import io.myolotrain.topics.Topics;
import io.myolotrain.ui.UiOptions;
import io.myolotrain.ui.UiServer;
import io.myolotrain.worker.checkpoint.StateHash;
import io.myolotrain.worker.engine.LaunchFlags;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/** A whole pool on this machine: real broker, real registry, real coordinator, worker processes. */
final class TestPool implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final PoolId POOL = new PoolId("default");

    private final Path directory;
    private final WorkerLink link;
    private final List<AutoCloseable> parts = new ArrayList<>();
    private final int brokerPort = Ports.free();
    private final int registryPort = Ports.free();
    private final List<Decision> decisions = new CopyOnWriteArrayList<>();

    private EmbeddedBroker broker;
    private RegistryServer registry;
    private AutoCloseable coordinator;
    private UiServer ui;
    private final Session session;
    private final ClusterView view;
    private final WorkerFleet fleet;
    private final Connection workersConnection;

    TestPool(Path directory, int workers) throws Exception {
        this(directory, workers, WorkerLink.DIRECT);
    }

    /** How workers reach broker and registry. */
    interface WorkerLink {
        WorkerLink DIRECT = new WorkerLink() {};

        default EmbeddedBroker.Options broker(EmbeddedBroker.Options options) {
            return options;
        }

        /** @param direct as this process reaches them */
        default Connection connection(Connection direct) throws Exception {
            return direct;
        }
    }

    TestPool(Path directory, int workers, WorkerLink link) throws Exception {
        this.directory = directory;
        this.link = link;
        startBroker();
        startCoordinator();
        startUi();
        session = own(Session.open(connection(), POOL));
        view = own(ClusterView.open(session, decisions::add));
        workersConnection = link.connection(connection());
        fleet = own(new WorkerFleet(
                new ChildJvm(TestJvm.workerFlags(), LaunchFlags.environment(), Main.class.getName()),
                id -> WorkerCommand.childArguments(
                        new WorkerId(id), workersConnection, POOL, directory.resolve("jobs")),
                new WorkerFleet.Options(directory.resolve("logs"), Duration.ofSeconds(5), false)));
        for (int i = 0; i < workers; i++) {
            fleet.start("worker-" + i);
        }
        awaitState("workers have joined", state -> state.workers().size() == workers);
    }

    private <T extends AutoCloseable> T own(T part) {
        parts.add(0, part);
        return part;
    }

    private void startBroker() throws Exception {
        broker = EmbeddedBroker.start(link.broker(
                EmbeddedBroker.Options.in(directory.resolve("kafka")).port(brokerPort)));
        registry = RegistryServer.start(broker.bootstrap(), registryPort);
    }

    private void startCoordinator() throws Exception {
        coordinator = CoordinatorApp.start(
                connection(),
                CoordinatorOptions.in(directory.resolve("streams/coordinator")).holdingNobodyBack());
    }

    private void startUi() throws Exception {
        ui = UiServer.start(connection(), UiOptions.loopback(0, POOL));
    }

    void restartUi() throws Exception {
        ui.close();
        startUi();
    }

    /** What the web UI answers. */
    String get(String path) throws Exception {
        var request =
                HttpRequest.newBuilder(URI.create(ui.address()).resolve(path)).build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    void restartBroker() throws Exception {
        registry.close();
        broker.close();
        startBroker();
    }

    void restartCoordinator() throws Exception {
        coordinator.close();
        startCoordinator();
    }

    Connection connection() {
        return Connection.of(broker.bootstrap(), registry.url());
    }

    /** As workers reach broker and registry. */
    Connection workersConnection() {
        return workersConnection;
    }

    Session session() {
        return session;
    }

    ClusterState state() {
        return view.state();
    }

    Path checkpoints() {
        return directory.resolve("jobs");
    }

    WorkerFleet fleet() {
        return fleet;
    }

    PoolId pool() {
        return POOL;
    }

    /** @return id of the event */
    String publish(Event event) {
        String id = Session.newEventId();
        session.publish(id, event);
        return id;
    }

    String change(JobId job, Map<String, String> changes) {
        return publish(new Event.ConfigChangeRequested(job, new TreeMap<>(changes), "test"));
    }

    /** Publishes a change and waits until it is in force. */
    Fact.PlanActivated apply(JobId job, Map<String, String> changes) {
        String id = change(job, changes);
        Decision accepted = awaitDecision(id);
        Fact.PlanIssued issued = await("a plan for " + changes)
                .atMost(PATIENCE)
                .until(() -> planAfter(accepted, job), java.util.Objects::nonNull);
        return await("generation " + issued.plan().generation() + " in force")
                .atMost(PATIENCE)
                .until(() -> activation(job, issued), java.util.Objects::nonNull);
    }

    private Fact.PlanIssued planAfter(Decision accepted, JobId job) {
        return decisions.stream()
                .filter(decision -> decision.offset() >= accepted.offset())
                .flatMap(decision -> decision.facts().stream())
                .filter(Fact.PlanIssued.class::isInstance)
                .map(Fact.PlanIssued.class::cast)
                .filter(issued -> issued.plan().job().equals(job))
                .findFirst()
                .orElse(null);
    }

    private Fact.PlanActivated activation(JobId job, Fact.PlanIssued issued) {
        return decisions.stream()
                .flatMap(decision -> decision.facts().stream())
                .filter(Fact.PlanActivated.class::isInstance)
                .map(Fact.PlanActivated.class::cast)
                .filter(active ->
                        active.job().equals(job) && !issued.plan().generation().isAfter(active.generation()))
                .findFirst()
                .orElse(null);
    }

    Decision awaitDecision(String eventId) {
        return await("the decision on event " + eventId)
                .atMost(PATIENCE)
                .until(
                        () -> decisions.stream()
                                .filter(decision -> decision.eventId().equals(eventId))
                                .findFirst()
                                .orElse(null),
                        java.util.Objects::nonNull);
    }

    void awaitState(String what, Predicate<ClusterState> condition) {
        await(what).atMost(PATIENCE).until(() -> condition.test(view.state()));
    }

    void awaitStep(JobId job, long step) {
        awaitState(
                "step " + step + " of " + job,
                state -> state.job(job).orElseThrow().committedStep() >= step);
    }

    void awaitPhase(JobId job, JobPhase phase) {
        awaitState(
                job + " is " + phase,
                state -> state.job(job).map(JobState::phase).equals(java.util.Optional.of(phase)));
    }

    /** Submits the job when all workers, and at least so many, stand by. */
    void submitWhenIdle(JobSpec spec, int atLeast) {
        awaitState(
                atLeast + " workers stand by",
                state -> state.workers().size() >= atLeast
                        && state.workers().values().stream()
                                .allMatch(worker -> worker.job().isEmpty()));
        String id = publish(new Event.JobSubmitted(spec, "test"));
        assertThat(awaitDecision(id).facts()).anyMatch(Fact.JobAccepted.class::isInstance);
    }

    /** Of parameters and moments at the job's last step, from the checkpoint that it leaves. */
    String finalHash(JobSpec spec) throws Exception {
        return finalHash(spec, spec.initialConfig().maxSteps());
    }

    /** The same for a job that is told now to end at this step. */
    String finalHashAt(JobSpec spec, long steps) throws Exception {
        awaitDecision(change(spec.job(), Map.of("steps", Long.toString(steps))));
        awaitPhase(spec.job(), JobPhase.COMPLETED);
        return finalHash(spec, steps);
    }

    private String finalHash(JobSpec spec, long steps) throws Exception {
        awaitState("the last checkpoint is reported", state -> state.job(spec.job())
                .flatMap(JobState::lastCheckpoint)
                .filter(checkpoint -> checkpoint.step() == steps)
                .isPresent());
        return StateHash.of(checkpoints(), spec, steps);
    }

    JobState job(JobId job) {
        return view.state().job(job).orElseThrow();
    }

    List<Decision> decisions() {
        return List.copyOf(decisions);
    }

    /** Everything that the journal of the pool holds now, in order. */
    List<TopicListener.Received<JournalLine>> journal() throws Exception {
        var lines = new ArrayList<TopicListener.Received<JournalLine>>();
        TopicListener<JournalLine> collect = received -> {
            if (received.key().equals(POOL.value())) {
                lines.add(received);
            }
        };
        try (var reader =
                TopicReader.open(connection(), session.codecs(), Topics.JOURNAL, ReadFrom.completeHistory(), collect)) {
            reader.caughtUp().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
        return lines;
    }

    /** From the journal alone: the blocks that the ranks report cover the samples of every step without gap or overlap. */
    void assertEverySampleIsConsumedExactlyOnce(JobId job, long samples) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            var blocks = new TreeMap<Long, Event.StepCompleted>();
            for (Event.StepCompleted step : reports(job)) {
                assertThat(blocks.put(step.samplePosition(), step))
                        .as("reported twice: %s", step)
                        .isNull();
            }
            long expected = 0;
            for (Event.StepCompleted block : blocks.values()) {
                assertThat(block.samplePosition()).as("gap before %s", block).isEqualTo(expected);
                expected += block.sampleCount();
            }
            assertThat(expected).isEqualTo(samples);
        });
    }

    /** From the journal alone: somebody reports each step, though who died may have taken its own last report along. */
    void assertEveryStepIsReported(JobId job, long steps) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(
                        reports(job).stream().map(Event.StepCompleted::step).distinct())
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(1, steps).boxed().toList()));
    }

    private List<Event.StepCompleted> reports(JobId job) throws Exception {
        return journal().stream()
                .map(line -> line.value().event())
                .filter(Event.StepCompleted.class::isInstance)
                .map(Event.StepCompleted.class::cast)
                .filter(step -> step.job().equals(job))
                .toList();
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable part : parts) {
            part.close();
        }
        ui.close();
        coordinator.close();
        registry.close();
        broker.close();
    }
}
