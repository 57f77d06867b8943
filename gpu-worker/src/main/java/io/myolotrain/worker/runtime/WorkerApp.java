package io.myolotrain.worker.runtime;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.topics.Codecs;
import io.myolotrain.topics.Connection;
import io.myolotrain.topics.Producers;
import io.myolotrain.topics.ReadFrom;
import io.myolotrain.topics.SamplingEvent;
import io.myolotrain.topics.TopicReader;
import io.myolotrain.topics.Topics;
import io.myolotrain.worker.checkpoint.CheckpointStore;
import io.myolotrain.worker.checkpoint.FileLayer;
import io.myolotrain.worker.comm.GlooEndpoint;
import io.myolotrain.worker.comm.GroupConnector;
import io.myolotrain.worker.comm.GroupSpec;
import io.myolotrain.worker.data.MicroBatch;
import io.myolotrain.worker.data.MicroBatches;
import io.myolotrain.worker.data.TokenSource;
import io.myolotrain.worker.data.TokenSources;
import io.myolotrain.worker.engine.LibTorchTrainer;
import io.myolotrain.worker.engine.NativeLibraries;
import io.myolotrain.worker.readings.ReadingRules;
import io.myolotrain.worker.readings.WorkerReadings;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One worker process: joins its pool, stands by, trains when a plan names it. The training loop has a thread of its own; the
 * Vert.x event loop serves health and metrics; plans arrive on the readers' threads.
 */
public final class WorkerApp implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(WorkerApp.class);

    private static final Duration READY_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration GROUP_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(6);
    /** A broker that is away for an hour must not cost a step's completion. */
    private static final int DELIVERY_TIMEOUT_MS = (int) TimeUnit.HOURS.toMillis(1);

    private static final int WARM_UP_STEPS = 2;

    private final Vertx vertx;
    private final Codecs codecs;
    private final Producers producers;
    private final @Nullable GlooEndpoint gloo;
    private final GroupConnector groups;
    private final PlanFeed feed;
    private final Checkpoints checkpoints;
    private final StepLoop loop;
    private final Thread training;
    private final ScheduledExecutorService heartbeat;
    private final WorkerIdentity identity;
    private final TopicEvents events;
    private final WorkerReadings readings;
    private final TopicReader<SamplingEvent> requests;

    private WorkerApp(Connection connection, WorkerOptions options) throws Exception {
        NativeLibraries.load();
        Clock clock = Clock.systemUTC();
        vertx = Vertx.vertx();
        codecs = Codecs.of(connection);
        producers = Producers.open(
                connection,
                codecs,
                "worker-" + options.worker(),
                Map.of(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DELIVERY_TIMEOUT_MS));
        events = new TopicEvents(options.pool(), options.worker().value(), clock, producers);
        InetAddress address = InetAddress.getByName(options.address());
        gloo = options.gloo() ? GlooEndpoint.open(address) : null;
        groups = GroupConnector.open(address, 0, gloo);
        var mailbox = new PlanMailbox();
        var store = new CheckpointStore(options.checkpointRoot(), FileLayer.disk());
        checkpoints = new Checkpoints(store, options.keepCheckpoints(), events);
        var stepClock = new StepClock();
        var preparer = new PlanPreparer(
                (plan, self, session) -> connect(plan, self, session, stepClock),
                WorkerApp::open,
                events,
                mailbox::wake);
        var rules = new ReadingRules(options.pool());
        readings = WorkerReadings.to(events::reading, rules, clock);
        long startedMs = clock.millis();
        requests = TopicReader.open(
                connection,
                codecs,
                Topics.SAMPLING_CHANGES,
                ReadFrom.beginning(),
                record -> rules.follow(
                        record.value().header().eventId(),
                        record.value().header().pool(),
                        record.value().request(),
                        record.atMs() >= startedMs));
        var reports = new StepReports(events, readings, clock);
        var meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        identity = new WorkerIdentity(info(options, clock), events);
        loop = new StepLoop(
                identity,
                mailbox,
                preparer,
                new CheckpointRestore(store),
                checkpoints,
                reports,
                events,
                stepClock,
                new Validation(reports));
        int httpPort = new HealthServer(vertx, meters, loop::status, identity)
                .listen(options.address(), options.httpPort())
                .toCompletionStage()
                .toCompletableFuture()
                .get(READY_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                .actualPort();
        identity.httpPort(httpPort);
        feed = PlanFeed.open(connection, codecs, options.pool(), mailbox, identity, loop::removed);
        training = new Thread(loop, "training");
        heartbeat = Executors.newSingleThreadScheduledExecutor(work -> {
            var thread = new Thread(work, "heartbeat");
            thread.setDaemon(true);
            return thread;
        });
        start(options);
    }

    /** Starts the worker; returns when it has joined its pool. */
    public static WorkerApp start(Connection connection, WorkerOptions options) throws Exception {
        return new WorkerApp(connection, options);
    }

    private void start(WorkerOptions options) throws Exception {
        feed.awaitReady(READY_TIMEOUT);
        training.start();
        identity.join();
        long interval = options.heartbeatInterval().toMillis();
        var unused = heartbeat.scheduleAtFixedRate(
                () -> events.heartbeat(identity.ref(), loop.activity()), interval, interval, TimeUnit.MILLISECONDS);
        log.atInfo()
                .addKeyValue("worker", identity.ref())
                .addKeyValue("pool", options.pool())
                .addKeyValue("httpPort", identity.info().httpPort())
                .addKeyValue("kernel", identity.info().kernel())
                .log("worker joined its pool");
    }

    private WorkerInfo info(WorkerOptions options, Clock clock) throws Exception {
        String host = options.host().orElse(InetAddress.getLocalHost().getHostName());
        return new WorkerInfo(
                new WorkerRef(options.worker(), clock.millis()), // grows from one start of the process to the next
                options.pool(),
                host,
                options.address(),
                groups.peerPort(),
                gloo == null ? 0 : gloo.storePort(),
                0,
                NativeLibraries.kernel(),
                WorkerVersion.current());
    }

    private io.myolotrain.worker.comm.Communicator connect(
            Plan plan, WorkerRef self, JobSession session, StepClock clock) {
        int floats = session.trainer().layout().size() + 1;
        return groups.connect(GroupSpec.of(plan, self, floats), GROUP_TIMEOUT, clock::deadline);
    }

    /** Model and data of a job, warmed up: the first step in a world must not be the first step of the process. */
    private static JobSession open(Plan plan) throws Exception {
        JobSpec spec = plan.spec();
        TokenSource tokens = TokenSources.open(
                spec.data(), spec.model().sequenceLength(), spec.model().vocabulary());
        var session = new JobSession(
                spec, new LibTorchTrainer(spec.model(), spec.seed()), tokens, new MicroBatches(tokens, spec));
        session.trainer().initialise();
        var gradient = ByteBuffer.allocateDirect(session.trainer().layout().size() * Float.BYTES)
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
        for (int step = 0; step < WARM_UP_STEPS; step++) {
            MicroBatch batch = session.batches().validation(0);
            session.trainer().gradient(0, step, batch.tokens(), batch.targets(), gradient);
        }
        return session;
    }

    public WorkerStatus status() {
        return loop.status();
    }

    /** Whether the training thread is alive; when it is not, the process is of no use any more. */
    public boolean isAlive() {
        return training.isAlive();
    }

    /** Asks for a checkpoint, waits for it within bounds, says goodbye and lets go of everything. */
    @Override
    public void close() throws InterruptedException {
        loop.stop();
        training.join(STOP_TIMEOUT.toMillis());
        if (training.isAlive()) {
            training.interrupt();
            training.join(STOP_TIMEOUT.toMillis() / 2);
        }
        heartbeat.shutdownNow();
        requests.close();
        readings.close();
        checkpoints.close();
        events.report(new Event.WorkerLeft(identity.ref(), "the process stops"));
        feed.close();
        producers.close();
        codecs.close();
        groups.close();
        if (gloo != null) {
            gloo.close();
        }
        vertx.close();
    }
}
