package io.myolotrain.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns failures into sentences. Stack traces are for those who ask with {@code --verbose}. */
final class FailurePrinter implements IExecutionExceptionHandler, IParameterExceptionHandler {

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
        PrintWriter err = command.getErr();
        if (verbose(command)) {
            failure.printStackTrace(err);
        }
        if (failure instanceof CommandFailure told) {
            err.println("myolotrain: " + told.getMessage());
            err.println("  " + told.nextStep());
            return told.exitCode();
        }
        err.println("myolotrain: " + sentence(failure));
        if (!verbose(command)) {
            err.println("  Run the command again with --verbose to see where this comes from.");
        }
        return ExitCodes.ERROR;
    }

    private static String sentence(Throwable failure) {
        String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.getClass().getSimpleName() : message;
    }

    private static boolean verbose(CommandLine command) {
        for (CommandLine at = command; at != null; at = at.getParent()) {
            if (at.getCommand() instanceof MyolotrainCommand root) {
                return root.verbose;
            }
        }
        return false;
    }

    @Override
    public int handleParseException(ParameterException failure, String[] args) {
        CommandLine command = failure.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("myolotrain: " + failure.getMessage());
        UnmatchedArgumentException.printSuggestions(failure, err);
        err.println("  Run '" + command.getCommandSpec().qualifiedName() + " --help' to see what it takes.");
        return ExitCodes.USAGE;
    }
}
