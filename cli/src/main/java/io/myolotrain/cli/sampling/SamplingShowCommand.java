package io.myolotrain.cli.sampling;

import io.myolotrain.cli.client.Session;
import io.myolotrain.cli.option.JobArgument;
import io.myolotrain.cli.option.PoolOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "show",
        description = "Lists the rules of a job in the order in which they are tried.",
        footerHeading = "%nExamples:%n",
        footer = "  myolotrain sampling show demo")
final class SamplingShowCommand implements Callable<Integer> {
    @Mixin
    private final JobArgument job = new JobArgument();

    @Mixin
    private final PoolOptions pool = new PoolOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        try (Session session = pool.open()) {
            spec.commandLine().getOut().print(JobRules.read(session, job.id()).table());
            spec.commandLine().getOut().flush();
        }
        return 0;
    }
}
