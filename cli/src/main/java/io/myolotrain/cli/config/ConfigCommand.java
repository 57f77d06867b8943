package io.myolotrain.cli.config;

import io.myolotrain.cli.CommandFailure;
import io.myolotrain.cli.client.Request;
import io.myolotrain.cli.client.Session;
import io.myolotrain.cli.option.JobArgument;
import io.myolotrain.cli.option.PoolOptions;
import io.myolotrain.cli.output.Table;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.planning.ConfigKey;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "config",
        description = "Changes a running job at its next step boundary.",
        subcommands = {ConfigCommand.Set.class, ConfigCommand.Keys.class},
        footerHeading = "%nExamples:%n",
        footer = {"  myolotrain config set demo workers=4", "  myolotrain config keys"})
public final class ConfigCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    @Command(
            name = "set",
            description =
                    "Asks for new values and follows the request: accepted or refused, planned, applied at a step.",
            footerHeading = "%nExamples:%n",
            footer = {
                "  myolotrain config set demo workers=4",
                "  myolotrain config set demo lr=1e-4 weight-decay=0.05",
                "  myolotrain config set demo batch=64 --no-wait",
                "  myolotrain config set demo workers=1 --json | jq .stallMillis"
            })
    static final class Set implements Callable<Integer> {
        @Mixin
        private final JobArgument job = new JobArgument();

        @Parameters(
                index = "1..*",
                arity = "1..*",
                paramLabel = "KEY=VALUE",
                description = "New values; 'myolotrain config keys' lists the keys.")
        @SuppressWarnings("NullAway.Init") // set by picocli
        private List<String> assignments;

        @Mixin
        private final PoolOptions pool = new PoolOptions();

        @Mixin
        private final Request request = new Request();

        @Spec
        @SuppressWarnings("NullAway.Init") // set by picocli
        private CommandSpec spec;

        @Override
        public Integer call() throws InterruptedException {
            SortedMap<String, String> changes = changes(assignments);
            try (Session session = pool.open()) {
                var event = new Event.ConfigChangeRequested(job.id(), changes, Session.person());
                return request.run(session, spec, job.id(), event);
            }
        }

        /** Keys and values stay as typed: the coordinator judges them, so that each refusal is in the log. */
        private static SortedMap<String, String> changes(List<String> assignments) {
            var changes = new TreeMap<String, String>();
            for (String assignment : assignments) {
                int equals = assignment.indexOf('=');
                if (equals < 1) {
                    throw CommandFailure.usage("a change must be KEY=VALUE: " + assignment, "For example workers=4");
                }
                String key = assignment.substring(0, equals);
                if (changes.put(key, assignment.substring(equals + 1)) != null) {
                    throw CommandFailure.usage("a key may be given once: " + key, "Leave one of the two out.");
                }
            }
            return changes;
        }
    }

    @Command(
            name = "keys",
            description = "Lists what may change while a job runs.",
            footerHeading = "%nExamples:%n",
            footer = "  myolotrain config keys")
    static final class Keys implements Callable<Integer> {
        @Spec
        @SuppressWarnings("NullAway.Init") // set by picocli
        private CommandSpec spec;

        @Override
        public Integer call() {
            Table table = new Table("KEY", "LEGAL VALUES", "ALSO CALLED");
            for (ConfigKey key : ConfigKey.values()) {
                table.row(key.label(), key.legalValues(), String.join(", ", key.aliases()));
            }
            spec.commandLine().getOut().print(table);
            spec.commandLine().getOut().flush();
            return 0;
        }
    }
}
