package io.myolotrain.cli;

import io.myolotrain.cli.audit.AuditCommand;
import io.myolotrain.cli.bench.BenchCommand;
import io.myolotrain.cli.chaos.ChaosCommand;
import io.myolotrain.cli.component.BrokerCommand;
import io.myolotrain.cli.component.CoordinatorCommand;
import io.myolotrain.cli.component.SamplerCommand;
import io.myolotrain.cli.component.UiCommand;
import io.myolotrain.cli.component.WorkerCommand;
import io.myolotrain.cli.config.ConfigCommand;
import io.myolotrain.cli.demo.DemoCommand;
import io.myolotrain.cli.doctor.DoctorCommand;
import io.myolotrain.cli.job.JobCommand;
import io.myolotrain.cli.log.LogCommand;
import io.myolotrain.cli.pool.PoolCommand;
import io.myolotrain.cli.sampling.SamplingCommand;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

@Command(
        name = "myolotrain",
        description = "Trains models on a pool of workers and changes a running job at the next step boundary.",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        sortOptions = false,
        subcommands = {
            DemoCommand.class,
            JobCommand.class,
            ConfigCommand.class,
            PoolCommand.class,
            SamplingCommand.class,
            LogCommand.class,
            WorkerCommand.class,
            CoordinatorCommand.class,
            SamplerCommand.class,
            UiCommand.class,
            BrokerCommand.class,
            DoctorCommand.class,
            ChaosCommand.class,
            BenchCommand.class,
            AuditCommand.class,
            GenerateCompletion.class,
            CommandLine.HelpCommand.class
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:failed; the message says why (--verbose adds the stack trace)",
            "2:the command line is wrong",
            "3:refused by the coordinator, or an audit found a difference",
            "4:broker, registry or job not reachable, or no answer in time"
        })
final class MyolotrainCommand implements Runnable {
    @Option(names = "--verbose", scope = ScopeType.INHERIT, description = "Show stack traces of failures.")
    boolean verbose;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
