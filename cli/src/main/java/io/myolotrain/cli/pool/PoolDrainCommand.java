package io.myolotrain.cli.pool;

import io.myolotrain.cli.CommandFailure;
import io.myolotrain.cli.ExitCodes;
import io.myolotrain.cli.client.ClusterView;
import io.myolotrain.cli.client.Session;
import io.myolotrain.cli.option.PoolOptions;
import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.coordination.PoolWorker;
import io.myolotrain.core.model.WorkerId;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "drain",
        description =
                "Asks that a worker be planned out: it hands over its state at a step boundary, then is free to stop.",
        footerHeading = "%nExamples:%n",
        footer = "  myolotrain pool drain worker-2")
final class PoolDrainCommand implements Callable<Integer> {
    private static final long POLL_MS = 100;

    @Parameters(paramLabel = "WORKER", description = "Id of the worker.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String worker;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "How long to wait until no job needs it (default: ${DEFAULT-VALUE} s).")
    private int timeoutSeconds;

    @Mixin
    private final PoolOptions pool = new PoolOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        try (Session session = pool.open();
                ClusterView view = ClusterView.open(session)) {
            PoolWorker known = known(view.state());
            session.publish(
                    Session.newEventId(), new Event.WorkerDraining(known.ref(), "asked by " + Session.person()));
            await(view, "the coordinator to answer", state -> draining(state, known));
            await(view, "a plan without it to be applied", state -> free(state, known));
            var out = spec.commandLine().getOut();
            out.println("drained    " + known.ref() + ": no job needs it, it may be stopped");
            out.flush();
            return ExitCodes.OK;
        }
    }

    private PoolWorker known(ClusterState state) {
        String names = state.workers().keySet().stream().map(WorkerId::value).collect(Collectors.joining(", "));
        return state.workers().values().stream()
                .filter(candidate -> candidate.ref().id().value().equals(worker))
                .findFirst()
                .orElseThrow(() -> CommandFailure.usage(
                        "a worker must be in the pool to be drained: worker=" + worker + " pool=" + state.pool(),
                        names.isEmpty() ? "The pool has no workers." : "There are: " + names));
    }

    private static boolean draining(ClusterState state, PoolWorker known) {
        return !state.isLive(known.ref())
                || state.worker(known.ref().id()).map(PoolWorker::draining).orElse(true);
    }

    private static boolean free(ClusterState state, PoolWorker known) {
        return !state.isLive(known.ref())
                || state.worker(known.ref().id()).flatMap(PoolWorker::job).isEmpty();
    }

    private void await(ClusterView view, String what, Predicate<ClusterState> condition) throws InterruptedException {
        long deadline = System.nanoTime() + timeoutSeconds * 1_000_000_000L;
        while (!condition.test(view.state())) {
            if (System.nanoTime() > deadline) {
                throw CommandFailure.unreachable(
                        "waited " + timeoutSeconds + " s for " + what + ": worker=" + worker,
                        "Its job may need it until another worker stands by; see 'myolotrain pool show'.",
                        null);
            }
            Thread.sleep(POLL_MS);
        }
    }
}
