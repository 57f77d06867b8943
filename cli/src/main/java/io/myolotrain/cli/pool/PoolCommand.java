package io.myolotrain.cli.pool;

import io.myolotrain.cli.client.ClusterView;
import io.myolotrain.cli.client.Session;
import io.myolotrain.cli.option.PoolOptions;
import io.myolotrain.cli.output.JsonOutput;
import io.myolotrain.cli.output.Table;
import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.PoolWorker;
import io.myolotrain.core.model.JobId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "pool",
        description = "Shows the pool of workers, drains one.",
        subcommands = {PoolCommand.Show.class, PoolDrainCommand.class},
        footerHeading = "%nExamples:%n",
        footer = {"  myolotrain pool show", "  myolotrain pool drain worker-2"})
public final class PoolCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    @Command(
            name = "show",
            description = "Shows each live worker: its job, its rank, what it computes with.",
            footerHeading = "%nExamples:%n",
            footer = {"  myolotrain pool show", "  myolotrain pool show --json | jq -r '.[].worker'"})
    static final class Show implements Callable<Integer> {
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

        private static String table(ClusterState state) {
            if (state.workers().isEmpty()) {
                return "no workers in pool " + state.pool() + "; start some with 'myolotrain worker'"
                        + System.lineSeparator();
            }
            Table table = new Table("WORKER", "STATUS", "JOB", "RANK", "HOST", "KERNEL", "RELEASE");
            for (PoolWorker worker : state.workers().values()) {
                table.row(
                        worker.ref(),
                        worker.status(),
                        worker.job().map(JobId::value).orElse("-"),
                        rank(state, worker),
                        worker.info().host(),
                        worker.info().kernel(),
                        worker.info().version());
            }
            return table.toString();
        }

        private static String rank(ClusterState state, PoolWorker worker) {
            return worker.job()
                    .flatMap(state::job)
                    .flatMap(job -> job.active())
                    .flatMap(plan -> plan.member(worker.ref()))
                    .map(member -> member.rank().toString())
                    .orElse("-");
        }

        private static String json(ClusterState state) {
            return JsonOutput.line(state.workers().values().stream()
                            .map(worker -> fields(state, worker))
                            .toList())
                    + System.lineSeparator();
        }

        private static Map<String, @Nullable Object> fields(ClusterState state, PoolWorker worker) {
            var fields = new LinkedHashMap<String, @Nullable Object>();
            fields.put("worker", worker.ref().id().value());
            fields.put("incarnation", worker.ref().incarnation());
            fields.put("status", worker.status().name());
            fields.put("job", worker.job().map(JobId::value).orElse(null));
            String rank = rank(state, worker);
            fields.put("rank", rank.equals("-") ? null : Integer.valueOf(rank));
            fields.put("host", worker.info().host());
            fields.put("address", worker.info().address());
            fields.put("httpPort", worker.info().httpPort());
            fields.put("kernel", worker.info().kernel());
            fields.put("version", worker.info().version());
            return fields;
        }
    }
}
