package io.myolotrain.cli.doctor;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "doctor",
        description = "Says why a job stands still.",
        subcommands = DoctorJobCommand.class,
        footerHeading = "%nExamples:%n",
        footer = "  myolotrain doctor job demo")
public final class DoctorCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
