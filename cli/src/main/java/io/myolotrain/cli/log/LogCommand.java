package io.myolotrain.cli.log;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "log",
        description = "Shows what the topics hold.",
        subcommands = LogTailCommand.class,
        footerHeading = "%nExamples:%n",
        footer = "  myolotrain log tail --follow")
public final class LogCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
