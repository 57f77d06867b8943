package io.myolotrain.cli.demo;

import io.myolotrain.cli.ExitCodes;
import io.myolotrain.cli.client.ClusterView;
import io.myolotrain.cli.client.FactText;
import io.myolotrain.cli.client.Session;
import io.myolotrain.cli.component.Lifetime;
import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.coordination.JobState;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Gets the job going and tells how it gets on until the demo is told to end. */
final class DemoWatch {
    private static final Duration LOOK_EVERY = Duration.ofMillis(500);

    private final DemoOptions options;
    private final Session session;
    private final Terminal terminal;
    private final Lifetime lifetime;
    private final ProgressLine progress = new ProgressLine();

    DemoWatch(DemoOptions options, Session session, Terminal terminal, Lifetime lifetime) {
        this.options = options;
        this.session = session;
        this.terminal = terminal;
        this.lifetime = lifetime;
    }

    int run() throws InterruptedException {
        try (ClusterView view = ClusterView.open(session, this::decided)) {
            JobId job = jobToWatch(view.state());
            terminal.line("");
            terminal.line("In a second terminal:  ./myolotrain config set " + job + " workers=" + options.poolSize);
            terminal.line("");
            while (!lifetime.endedWithin(LOOK_EVERY)) {
                ClusterState now = view.state();
                terminal.update(progress.of(now, job, TimeUnit.NANOSECONDS.toMillis(System.nanoTime())));
                Optional<JobState> found = now.job(job);
                if (options.untilDone && found.isPresent() && !found.get().live()) {
                    terminal.line("job " + job + " is " + found.get().phase() + " at step "
                            + found.get().committedStep());
                    return ExitCodes.OK;
                }
            }
        }
        return ExitCodes.OK;
    }

    private JobId jobToWatch(ClusterState before) {
        Optional<JobState> unfinished = DemoJob.unfinished(before);
        if (unfinished.isPresent()) {
            JobState job = unfinished.get();
            terminal.line("job       " + job.id() + " goes on after step " + job.committedStep()
                    + " as it was configured (--fresh starts anew)");
            return job.id();
        }
        JobSpec wanted = options.job(session.pool());
        terminal.line(
                "job       " + wanted.job() + ": " + wanted.initialConfig().maxSteps() + " steps on " + wanted.data());
        session.publish(Session.newEventId(), new Event.JobSubmitted(wanted, Session.person()));
        return wanted.job();
    }

    /** On the reader's thread: tells what a person should see, live and old. */
    private void decided(Decision decision) {
        progress.decided(decision);
        for (Fact fact : decision.facts()) {
            if (worthALine(fact)) {
                terminal.line(FactText.of(fact));
            }
        }
    }

    private boolean worthALine(Fact fact) {
        return fact instanceof Fact.Refused
                || fact instanceof Fact.ConfigAccepted
                || fact instanceof Fact.PlanActivated
                || fact instanceof Fact.GenerationBroken
                || fact instanceof Fact.WorkerExcluded;
    }
}
