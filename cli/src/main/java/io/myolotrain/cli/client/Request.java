package io.myolotrain.cli.client;

import io.myolotrain.cli.CommandFailure;
import io.myolotrain.cli.ExitCodes;
import io.myolotrain.cli.output.JsonOutput;
import io.myolotrain.cli.output.PlainValues;
import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.coordination.JobPhase;
import io.myolotrain.core.coordination.JobState;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.Refusal;
import java.io.PrintWriter;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Publishes what a person asks for and tells what becomes of it: the second half of every command that asks. */
public final class Request {
    private static final Set<JobPhase> RESTING = EnumSet.of(JobPhase.PAUSED, JobPhase.STOPPED, JobPhase.COMPLETED);

    @Option(names = "--no-wait", description = "Return when the log holds the request; don't follow it.")
    private boolean noWait;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description = "How long to follow the request (default: ${DEFAULT-VALUE} s).")
    private int timeoutSeconds;

    @Option(names = "--json", description = "Print one JSON object at the end.")
    private boolean json;

    /** @return exit code */
    public int run(Session session, CommandSpec command, JobId job, Event event) throws InterruptedException {
        PrintWriter out = command.commandLine().getOut();
        String eventId = Session.newEventId();
        if (noWait) {
            session.publish(eventId, event);
            out.println(json ? JsonOutput.line(summary(eventId, null)) : "published  event " + eventId);
            out.flush();
            return ExitCodes.OK;
        }
        var progress = new RequestProgress(eventId, job, line -> tell(out, line));
        try (ClusterView view = ClusterView.open(session, progress)) {
            session.publish(eventId, event);
            tell(out, "published  event " + eventId);
            var outcome = progress.await(timeoutSeconds * 1_000L, () -> restsAfterwards(view.state(), job));
            if (json) {
                out.println(JsonOutput.line(summary(eventId, outcome)));
                out.flush();
            }
            return verdict(session, command, job, outcome, view.state());
        }
    }

    private void tell(PrintWriter out, String line) {
        if (!json) {
            out.println(line);
            out.flush();
        }
    }

    private int verdict(
            Session session, CommandSpec command, JobId job, RequestProgress.Outcome outcome, ClusterState state) {
        if (!outcome.refusals().isEmpty()) {
            PrintWriter err = command.commandLine().getErr();
            for (Refusal refusal : outcome.refusals()) {
                err.println("refused    " + refusal.rule() + ": " + refusal.value());
                err.println("           " + refusal.nextStep());
            }
            err.flush();
            return ExitCodes.REFUSED;
        }
        if (outcome.applied().isPresent()) {
            return ExitCodes.OK;
        }
        if (!outcome.accepted()) {
            throw CommandFailure.unreachable(
                    "the coordinator of pool " + session.pool() + " gave no answer within " + timeoutSeconds + " s",
                    "Check that one runs ('myolotrain coordinator'); the request stays in the log and will be decided.",
                    null);
        }
        return acceptedOnly(job, state);
    }

    private int acceptedOnly(JobId job, ClusterState state) {
        if (restsAfterwards(state, job)) {
            return ExitCodes.OK;
        }
        throw CommandFailure.unreachable(
                "accepted, but not applied within " + timeoutSeconds + " s: job " + job + " is "
                        + state.job(job).map(j -> j.phase().name()).orElse("unknown") + ", the pool has "
                        + state.workers().size() + " workers",
                "It is applied as soon as the workers for it are there; see 'myolotrain pool show'.",
                null);
    }

    /** A job that runs nowhere takes a change into account when it runs again; there is no step to wait for. */
    private static boolean restsAfterwards(ClusterState state, JobId job) {
        Optional<JobState> found = state.job(job);
        return found.isPresent()
                && found.get().pending().isEmpty()
                && RESTING.contains(found.get().phase());
    }

    private static Map<String, @Nullable Object> summary(String eventId, RequestProgress.@Nullable Outcome outcome) {
        var summary = new LinkedHashMap<String, @Nullable Object>();
        summary.put("event", eventId);
        if (outcome == null) {
            summary.put("status", "published");
            return summary;
        }
        summary.put("status", status(outcome));
        summary.put("refusals", PlainValues.of(outcome.refusals()));
        outcome.planned().ifPresent(generation -> summary.put("generation", generation.value()));
        outcome.applied().ifPresent(applied -> {
            summary.put("firstStep", applied.firstStep());
            summary.put("stallMillis", applied.stallMicros() / 1_000.0);
            summary.put("movedBytes", applied.movedBytes());
        });
        return summary;
    }

    private static String status(RequestProgress.Outcome outcome) {
        if (!outcome.refusals().isEmpty()) {
            return "refused";
        }
        if (outcome.applied().isPresent()) {
            return "applied";
        }
        if (outcome.planned().isPresent()) {
            return "planned";
        }
        return outcome.accepted() ? "accepted" : "published";
    }
}
