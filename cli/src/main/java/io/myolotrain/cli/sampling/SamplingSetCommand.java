package io.myolotrain.cli.sampling;

import io.myolotrain.cli.CommandFailure;
import io.myolotrain.cli.client.ClusterView;
import io.myolotrain.cli.client.Session;
import io.myolotrain.cli.option.JobArgument;
import io.myolotrain.cli.option.PoolOptions;
import io.myolotrain.core.sampling.SamplingRequest;
import io.myolotrain.core.sampling.SamplingRules;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "set",
        description = "Replaces a job's own rules; they are tried in this order, before the standard ones.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  myolotrain sampling set demo 'gradient.*=step:20' comm=time:5s train.loss=default",
            "  myolotrain sampling set demo --reset        back to the standard rules"
        })
final class SamplingSetCommand implements Callable<Integer> {
    @Mixin
    private final JobArgument job = new JobArgument();

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "PATTERN=POLICY",
            description = {
                "A fragment of a name, or a whole name with * and ?.",
                "Policy: step:STEPS, time:DURATION or default."
            })
    private List<String> lines = List.of();

    @Option(names = "--reset", description = "Drop the job's own rules.")
    private boolean reset;

    @Mixin
    private final PoolOptions pool = new PoolOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (reset != lines.isEmpty()) {
            throw CommandFailure.usage(
                    "give rules, or --reset to have none of the job's own",
                    "For example myolotrain sampling set " + job.id() + " 'gradient.*=step:20'");
        }
        Optional<SamplingRules> rules = JobRules.parse(lines, spec.commandLine().getErr());
        if (rules.isEmpty()) {
            return JobRules.refused();
        }
        try (Session session = pool.open()) {
            requireJob(session);
            var change = new SamplingRequest.PolicyChange(job.id(), rules.get(), Session.person());
            String eventId = Session.newEventId();
            session.publish(eventId, change);
            spec.commandLine().getOut().println("published  event " + eventId);
            spec.commandLine().getOut().print(new JobRules(rules.get(), Session.person()).table());
            spec.commandLine().getOut().flush();
        }
        return 0;
    }

    /** Rules of a job that does not exist would wait for ever, and nobody would see the typing error. */
    private void requireJob(Session session) {
        try (ClusterView view = ClusterView.open(session)) {
            if (view.state().job(job.id()).isEmpty()) {
                throw CommandFailure.refused(
                        "the job must exist: job=" + job.id() + " pool=" + session.pool(),
                        "'myolotrain job list' shows the jobs that there are.");
            }
        }
    }
}
