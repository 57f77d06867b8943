package io.myolotrain.cli;

import picocli.CommandLine;

/** Entry point of the {@code myolotrain} command. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        FailurePrinter failures = new FailurePrinter();
        return new CommandLine(new MyolotrainCommand())
                .setExecutionExceptionHandler(failures)
                .setParameterExceptionHandler(failures)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true);
    }
}
