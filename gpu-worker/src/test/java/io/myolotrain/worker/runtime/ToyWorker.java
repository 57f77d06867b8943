package io.myolotrain.worker.runtime;

import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.core.sampling.Reading;
import io.myolotrain.worker.checkpoint.CheckpointStore;
import io.myolotrain.worker.checkpoint.FileLayer;
import io.myolotrain.worker.comm.Communicator;
import io.myolotrain.worker.comm.GroupConnector;
import io.myolotrain.worker.comm.GroupSpec;
import io.myolotrain.worker.data.MicroBatches;
import io.myolotrain.worker.readings.ReadingRules;
import io.myolotrain.worker.readings.WorkerReadings;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A worker without process, broker and LibTorch: the real loop, preparer, handover, checkpoints and communicators. */
final class ToyWorker implements AutoCloseable {
    private final GroupConnector groups;
    private final PlanMailbox mailbox = new PlanMailbox();
    private final WorkerIdentity identity;
    private final Checkpoints checkpoints;
    private final WorkerReadings readings;
    private final StepLoop loop;
    private final Thread thread;
    private final StepClock clock = new StepClock();
    private final List<Event> events = new ArrayList<>();
    private final Queue<Reading> taken = new ConcurrentLinkedQueue<>();
    private volatile Communicator group;

    ToyWorker(String id, Path checkpointRoot) throws Exception {
        this(id, checkpointRoot, ToyWorker::open, true, new ReadingRules(new PoolId("pool")));
    }

    ToyWorker(
            String id,
            Path checkpointRoot,
            PlanPreparer.SessionFactory sessions,
            boolean withReadings,
            ReadingRules rules)
            throws Exception {
        groups = GroupConnector.open(InetAddress.getLoopbackAddress(), 0);
        var sink = new Sink();
        var info = new WorkerInfo(
                new WorkerRef(new WorkerId(id), 1),
                new PoolId("pool"),
                "host",
                "127.0.0.1",
                groups.peerPort(),
                0,
                0,
                "toy",
                "test");
        identity = new WorkerIdentity(info, sink);
        var store = new CheckpointStore(checkpointRoot, FileLayer.disk());
        checkpoints = new Checkpoints(store, 3, sink);
        var preparer = new PlanPreparer(this::connect, sessions, sink, mailbox::wake);
        readings = withReadings
                ? WorkerReadings.to(sink::reading, rules, Clock.systemUTC())
                : WorkerReadings.none(rules, Clock.systemUTC());
        var reports = new StepReports(sink, readings, Clock.systemUTC());
        loop = new StepLoop(
                identity,
                mailbox,
                preparer,
                new CheckpointRestore(store),
                checkpoints,
                reports,
                sink,
                clock,
                new Validation(reports));
        thread = new Thread(loop, "training-" + id);
        thread.start();
    }

    private final class Sink implements WorkerEvents {
        @Override
        public void report(Event event) {
            synchronized (events) {
                events.add(event);
            }
        }

        @Override
        public void reading(Reading reading) {
            taken.add(reading);
        }

        @Override
        public void flush() {}
    }

    private Communicator connect(Plan plan, WorkerRef self, JobSession session) {
        int floats = session.trainer().layout().size() + 1;
        group = groups.connect(GroupSpec.of(plan, self, floats), Duration.ofSeconds(20), clock::deadline);
        return group;
    }

    private static JobSession open(Plan plan) {
        var tokens = new ToyTokens(plan.spec().model().sequenceLength());
        return new JobSession(
                plan.spec(), new ToyTrainer(plan.spec().model()), tokens, new MicroBatches(tokens, plan.spec()));
    }

    WorkerInfo info() {
        return identity.info();
    }

    void offer(Plan plan) {
        mailbox.offer(plan, identity.ref());
    }

    WorkerStatus status() {
        return loop.status();
    }

    List<Reading> readings() {
        return List.copyOf(taken);
    }

    List<Event> events() {
        synchronized (events) {
            return List.copyOf(events);
        }
    }

    <E extends Event> List<E> events(Class<E> type) {
        return events().stream().filter(type::isInstance).map(type::cast).toList();
    }

    /** As if the process had been killed: peers see its sockets close, nothing is handed over. */
    void kill() throws InterruptedException {
        thread.interrupt();
        Communicator open = group;
        if (open != null) {
            open.abort("killed");
        }
        groups.close();
        thread.join(10_000);
    }

    @Override
    public void close() throws InterruptedException {
        loop.stop();
        thread.join(10_000);
        readings.close();
        checkpoints.close();
        groups.close();
    }
}
