package io.myolotrain.cli.sampling;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "sampling",
        description = "Says which readings of a job are kept: every k-th step, once in a while, or adaptively.",
        subcommands = {SamplingShowCommand.class, SamplingSetCommand.class, SamplingTryCommand.class},
        footerHeading = "%nExamples:%n",
        footer = {
            "  myolotrain sampling show demo",
            "  myolotrain sampling try demo gradient.norm.layer3 train.loss",
            "  myolotrain sampling set demo 'gradient.*=step:20' comm=time:5s"
        })
public final class SamplingCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
