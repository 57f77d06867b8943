package io.myolotrain.cli.job;

import io.myolotrain.cli.CommandFailure;
import io.myolotrain.cli.client.ClusterView;
import io.myolotrain.cli.client.Session;
import io.myolotrain.cli.option.JobArgument;
import io.myolotrain.cli.option.PoolOptions;
import io.myolotrain.cli.output.JsonOutput;
import io.myolotrain.cli.output.Table;
import io.myolotrain.cli.output.Units;
import io.myolotrain.core.coordination.JobState;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.TrainingConfig;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "show",
        description = "Shows one job: progress, configuration, ranks, checkpoints.",
        footerHeading = "%nExamples:%n",
        footer = {"  myolotrain job show demo", "  myolotrain job show demo --json | jq .step"})
final class JobShowCommand implements Callable<Integer> {
    @Mixin
    private final JobArgument argument = new JobArgument();

    @Mixin
    private final PoolOptions pool = new PoolOptions();

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        try (Session session = pool.open();
                ClusterView view = ClusterView.open(session)) {
            JobState job = view.state()
                    .job(argument.id())
                    .orElseThrow(() -> CommandFailure.error(
                            "no such job in pool " + session.pool() + ": job=" + argument.id(),
                            "'myolotrain job list' shows the jobs that there are."));
            var out = spec.commandLine().getOut();
            out.print(json ? JsonOutput.line(JobFields.of(job)) + System.lineSeparator() : text(job));
            out.flush();
            return 0;
        }
    }

    private static String text(JobState job) {
        StringBuilder text = new StringBuilder();
        text.append(job.id())
                .append(": ")
                .append(job.phase())
                .append(", step ")
                .append(job.committedStep())
                .append(" of ")
                .append(job.desired().maxSteps())
                .append(", loss ")
                .append(Units.loss(job.lastLoss()))
                .append("\n\n")
                .append(config(job.desired()));
        job.active().ifPresent(plan -> text.append("\ngeneration ")
                .append(plan.generation())
                .append(": ")
                .append(plan.reason())
                .append("\n\n")
                .append(ranks(plan)));
        if (!job.checkpoints().isEmpty()) {
            Table table = new Table("CHECKPOINT", "SIZE", "DIRECTORY");
            job.checkpoints().forEach(c -> table.row(c.step(), Units.bytes(c.bytes()), c.directory()));
            text.append('\n').append(table);
        }
        return text.toString();
    }

    private static Table config(TrainingConfig c) {
        return new Table("KEY", "VALUE")
                .row("workers", c.workers())
                .row("batch", c.globalBatch())
                .row("lr", c.learningRate())
                .row("lr.min", c.minLearningRate())
                .row("schedule", c.schedule())
                .row("schedule.warmup", c.warmupSteps())
                .row("schedule.end", c.scheduleEndStep())
                .row("weight-decay", c.weightDecay())
                .row("beta1", c.beta1())
                .row("beta2", c.beta2())
                .row("eps", c.epsilon())
                .row("clip", c.clipNorm())
                .row("precision", c.precision())
                .row("checkpoint.every", c.checkpointEverySteps())
                .row("eval.every", c.evalEverySteps())
                .row("steps", c.maxSteps())
                .row("state", c.runState());
    }

    private static Table ranks(Plan plan) {
        Table table = new Table("RANK", "WORKER", "HOST", "MICRO-BATCHES");
        plan.members()
                .forEach(member -> table.row(
                        member.rank(),
                        member.worker().ref(),
                        member.worker().host(),
                        member.microBatches().first() + ".."
                                + (member.microBatches().end() - 1)));
        return table;
    }
}
