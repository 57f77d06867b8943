package io.myolotrain.cli.job;

import io.myolotrain.cli.client.Request;
import io.myolotrain.cli.client.Session;
import io.myolotrain.cli.option.JobArgument;
import io.myolotrain.cli.option.PoolOptions;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.TrainingConfig.RunState;
import io.myolotrain.core.planning.ConfigKey;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Asks for another run state of a job: a configuration change like any other, with a name of its own for people. */
abstract class JobStateCommand implements Callable<Integer> {
    @Mixin
    private final JobArgument job = new JobArgument();

    @Mixin
    private final PoolOptions pool = new PoolOptions();

    @Mixin
    private final Request request = new Request();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    private final RunState wanted;

    JobStateCommand(RunState wanted) {
        this.wanted = wanted;
    }

    @Override
    public Integer call() throws InterruptedException {
        var changes = new TreeMap<String, String>();
        changes.put(ConfigKey.STATE.label(), wanted.name().toLowerCase(Locale.ROOT));
        try (Session session = pool.open()) {
            var event = new Event.ConfigChangeRequested(job.id(), changes, Session.person());
            return request.run(session, spec, job.id(), event);
        }
    }

    @Command(
            name = "stop",
            description = "Stops a job for good at its next step boundary.",
            footerHeading = "%nExamples:%n",
            footer = "  myolotrain job stop demo")
    static final class Stop extends JobStateCommand {
        Stop() {
            super(RunState.STOPPED);
        }
    }

    @Command(
            name = "pause",
            description = "Pauses a job at its next step boundary; it keeps its workers.",
            footerHeading = "%nExamples:%n",
            footer = "  myolotrain job pause demo")
    static final class Pause extends JobStateCommand {
        Pause() {
            super(RunState.PAUSED);
        }
    }

    @Command(
            name = "resume",
            description = "Lets a paused job go on.",
            footerHeading = "%nExamples:%n",
            footer = "  myolotrain job resume demo")
    static final class Resume extends JobStateCommand {
        Resume() {
            super(RunState.RUNNING);
        }
    }
}
