package io.myolotrain.worker.runtime;

import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.Mesh;
import io.myolotrain.core.model.MicroBatchRange;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.Rank;
import io.myolotrain.core.model.ShardMap;
import io.myolotrain.core.model.TrainingConfig;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.core.sampling.Reading;
import io.myolotrain.core.training.ParameterLayout;
import io.myolotrain.topics.Codecs;
import io.myolotrain.topics.Connection;
import io.myolotrain.topics.Producers;
import io.myolotrain.worker.checkpoint.CheckpointStore;
import io.myolotrain.worker.checkpoint.FileLayer;
import io.myolotrain.worker.comm.LocalCommunicator;
import io.myolotrain.worker.data.MicroBatches;
import io.myolotrain.worker.data.TokenSources;
import io.myolotrain.worker.engine.LibTorchTrainer;
import io.myolotrain.worker.readings.ReadingRules;
import io.myolotrain.worker.readings.WorkerReadings;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One worker's real step loop without a coordinator: plans are made here, each allows some more steps. What the benchmarks
 * measure, with events going to topics or nowhere.
 */
public final class SoloTraining implements AutoCloseable {
    private static final long START_TIMEOUT_SECONDS = 300;
    private static final long STEP_TIMEOUT_SECONDS = 3;

    private final JobSpec spec;
    private final WorkerInfo self;
    private final PlanMailbox mailbox = new PlanMailbox();
    private final StepLoop loop;
    private final Thread thread;
    private final Checkpoints checkpoints;
    private final WorkerReadings readings;
    private final @Nullable Producers producers;
    private final @Nullable Codecs codecs;
    private long generation;
    private long steps;
    private volatile Target target = new Target(0, 0, new CompletableFuture<>());
    private volatile Runnable afterStep = () -> {};

    /** @param reached completes with the nanoseconds from the completion of {@code from} to that of {@code to} */
    private record Target(long from, long to, CompletableFuture<Long> reached) {}

    /** @param connection where events and readings go; null for nowhere */
    public SoloTraining(JobSpec spec, Path scratch, @Nullable Connection connection) {
        this(spec, scratch, connection, true);
    }

    /**
     * @param connection where events and readings go; null for nowhere
     * @param withReadings false = nothing is measured besides what the events need
     */
    public SoloTraining(JobSpec spec, Path scratch, @Nullable Connection connection, boolean withReadings) {
        this.spec = spec;
        this.self = new WorkerInfo(
                new WorkerRef(new WorkerId("solo"), 1), spec.pool(), "host", "127.0.0.1", 1, 0, 0, "", "");
        this.codecs = connection == null ? null : Codecs.of(connection);
        this.producers =
                connection == null || codecs == null ? null : Producers.open(connection, codecs, "solo-training");
        WorkerEvents sink =
                producers == null ? new Nowhere() : new TopicEvents(spec.pool(), "solo", Clock.systemUTC(), producers);
        var events = new Watched(sink);
        var store = new CheckpointStore(scratch, FileLayer.disk());
        var rules = new ReadingRules(spec.pool());
        readings = withReadings
                ? WorkerReadings.to(events::reading, rules, Clock.systemUTC())
                : WorkerReadings.none(rules, Clock.systemUTC());
        var reports = new StepReports(events, readings, Clock.systemUTC());
        checkpoints = new Checkpoints(store, 1, events);
        var preparer = new PlanPreparer(
                (plan, ref, session) -> new LocalCommunicator(), SoloTraining::open, events, mailbox::wake);
        loop = new StepLoop(
                new WorkerIdentity(self, events),
                mailbox,
                preparer,
                new CheckpointRestore(store),
                checkpoints,
                reports,
                events,
                new StepClock(),
                new Validation(reports));
        thread = new Thread(loop, "training");
        thread.start();
    }

    private static JobSession open(Plan plan) throws Exception {
        JobSpec spec = plan.spec();
        var tokens = TokenSources.open(
                spec.data(), spec.model().sequenceLength(), spec.model().vocabulary());
        return new JobSession(
                spec, new LibTorchTrainer(spec.model(), spec.seed()), tokens, new MicroBatches(tokens, spec));
    }

    private static final class Nowhere implements WorkerEvents {
        @Override
        public void report(Event event) {}

        @Override
        public void reading(Reading reading) {}

        @Override
        public void flush() {}
    }

    private final class Watched implements WorkerEvents {
        private final WorkerEvents sink;
        private long startedNanos;

        Watched(WorkerEvents sink) {
            this.sink = sink;
        }

        @Override
        public void report(Event event) {
            sink.report(event);
            if (event instanceof Event.StepCompleted step) {
                Target wanted = target;
                afterStep.run(); // first: who waits for the last step may set another
                if (step.step() == wanted.from()) {
                    startedNanos = System.nanoTime();
                } else if (step.step() == wanted.to()) {
                    wanted.reached().complete(System.nanoTime() - startedNanos);
                }
            } else if (event instanceof Event.PlanFailed failed) {
                target.reached().completeExceptionally(new IllegalStateException(failed.reason()));
            }
        }

        @Override
        public void reading(Reading reading) {
            sink.reading(reading);
        }

        @Override
        public void flush() {
            sink.flush();
        }
    }

    /** Time that readings have taken from the training thread so far. */
    public long readingNanos() {
        return readings.spentNanos();
    }

    /** @param listener called on the training thread when a step is completed; while it runs, training stands still */
    public void afterEachStep(Runnable listener) {
        afterStep = listener;
    }

    /** Trains on and measures: one step to get going, then this many. */
    public double millisPerStep(int count) throws InterruptedException, TimeoutException {
        long from = steps + 1;
        steps = from + count;
        var reached = new CompletableFuture<Long>();
        target = new Target(from, steps, reached);
        mailbox.offer(plan(steps), self.ref());
        try {
            return reached.get(START_TIMEOUT_SECONDS + STEP_TIMEOUT_SECONDS * count, TimeUnit.SECONDS) / 1e6 / count;
        } catch (java.util.concurrent.ExecutionException failure) {
            throw new IllegalStateException("training did not start", failure.getCause());
        }
    }

    private Plan plan(long maxSteps) {
        TrainingConfig c = spec.initialConfig();
        var config = new TrainingConfig(
                1,
                c.globalBatch(),
                c.learningRate(),
                c.minLearningRate(),
                c.schedule(),
                c.warmupSteps(),
                c.scheduleEndStep(),
                c.weightDecay(),
                c.beta1(),
                c.beta2(),
                c.epsilon(),
                c.clipNorm(),
                c.precision(),
                0,
                0,
                maxSteps,
                TrainingConfig.RunState.RUNNING);
        int shards = ParameterLayout.of(spec.model()).shards().size();
        var owners = Collections.nCopies(shards, List.of(self.ref().id()));
        int microBatches = c.globalBatch() / spec.microBatch();
        var member = new Plan.Member(new Rank(0), self, new MicroBatchRange(0, microBatches));
        generation++;
        return new Plan(
                spec.job(),
                spec.attempt(),
                new Generation(generation),
                new Generation(1),
                Mesh.dataParallel(1),
                List.of(member),
                List.of(),
                config,
                spec,
                new ShardMap(owners),
                JobSpec.Transport.SHARED_MEMORY,
                new Plan.CommThresholds(4_096, 1 << 20),
                Optional.empty(),
                "benchmark");
    }

    @Override
    public void close() throws InterruptedException {
        loop.stop();
        thread.join(TimeUnit.SECONDS.toMillis(10));
        readings.close();
        checkpoints.close();
        if (producers != null) {
            producers.close();
        }
        if (codecs != null) {
            codecs.close();
        }
    }
}
