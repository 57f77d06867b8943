package io.myolotrain.cli.job;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "job",
        description = "Submits, lists, shows and stops training jobs.",
        subcommands = {
            JobSubmitCommand.class,
            JobListCommand.class,
            JobShowCommand.class,
            JobStateCommand.Stop.class,
            JobStateCommand.Pause.class,
            JobStateCommand.Resume.class
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  myolotrain job list",
            "  myolotrain job submit my-gpt --data ./texts --workers 2",
            "  myolotrain job stop my-gpt"
        })
public final class JobCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
