package io.myolotrain.cli.job;

import io.myolotrain.cli.client.ClusterView;
import io.myolotrain.cli.client.Session;
import io.myolotrain.cli.option.PoolOptions;
import io.myolotrain.cli.output.JsonOutput;
import io.myolotrain.cli.output.Table;
import io.myolotrain.cli.output.Units;
import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.JobState;
import io.myolotrain.core.model.Plan;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "list",
        description = "Lists the jobs of the pool.",
        footerHeading = "%nExamples:%n",
        footer = {"  myolotrain job list", "  myolotrain job list --json | jq -r '.[].job'"})
final class JobListCommand implements Callable<Integer> {
    @Mixin
    private final PoolOptions pool = new PoolOptions();

    @Option(names = "--json", description = "Print one JSON array.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        try (Session session = pool.open();
                ClusterView view = ClusterView.open(session)) {
            var out = spec.commandLine().getOut();
            out.print(json ? json(view.state()) : table(view.state()));
            out.flush();
            return 0;
        }
    }

    private static String json(ClusterState state) {
        return JsonOutput.line(state.jobs().values().stream().map(JobFields::of).toList()) + System.lineSeparator();
    }

    private static String table(ClusterState state) {
        if (state.jobs().isEmpty()) {
            return "no jobs in pool " + state.pool() + "; submit one with 'myolotrain job submit'"
                    + System.lineSeparator();
        }
        Table table = new Table("JOB", "PHASE", "STEP", "OF", "LOSS", "WORKERS", "WANTED", "GENERATION");
        for (JobState job : state.jobs().values()) {
            table.row(
                    job.id(),
                    job.phase(),
                    job.committedStep(),
                    job.desired().maxSteps(),
                    Units.loss(job.lastLoss()),
                    job.active().map(Plan::worldSize).orElse(0),
                    job.desired().workers(),
                    job.active().map(plan -> plan.generation().toString()).orElse("-"));
        }
        return table.toString();
    }
}
