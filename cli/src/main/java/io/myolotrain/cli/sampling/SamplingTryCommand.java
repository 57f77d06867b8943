package io.myolotrain.cli.sampling;

import io.myolotrain.cli.client.Session;
import io.myolotrain.cli.option.JobArgument;
import io.myolotrain.cli.option.PoolOptions;
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
        name = "try",
        description = "Shows which rule takes which name, with the job's rules or with others; changes nothing.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  myolotrain sampling try demo gradient.norm.layer3 train.loss",
            "  myolotrain sampling try demo --rule 'gradient.*=step:20' gradient.norm.layer3"
        })
final class SamplingTryCommand implements Callable<Integer> {
    @Mixin
    private final JobArgument job = new JobArgument();

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "METRIC", description = "Names of metrics.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private List<String> names;

    @Option(
            names = "--rule",
            paramLabel = "PATTERN=POLICY",
            description = "A rule to try instead of the job's own; may be repeated, and needs no broker.")
    private List<String> lines = List.of();

    @Mixin
    private final PoolOptions pool = new PoolOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        JobRules rules;
        if (lines.isEmpty()) {
            try (Session session = pool.open()) {
                rules = JobRules.read(session, job.id());
            }
        } else {
            Optional<SamplingRules> parsed =
                    JobRules.parse(lines, spec.commandLine().getErr());
            if (parsed.isEmpty()) {
                return JobRules.refused();
            }
            rules = new JobRules(parsed.get(), "");
        }
        spec.commandLine().getOut().print(rules.table(names));
        spec.commandLine().getOut().flush();
        return 0;
    }
}
