package io.myolotrain.cli;

import org.jspecify.annotations.Nullable;

/** A failure that is told to a person: what went wrong, what to do next, and the exit code. */
public final class CommandFailure extends RuntimeException {
    private final int exitCode;
    private final String nextStep;

    public CommandFailure(int exitCode, String what, String nextStep, @Nullable Throwable cause) {
        super(what, cause);
        this.exitCode = exitCode;
        this.nextStep = nextStep;
    }

    public static CommandFailure error(String what, String nextStep) {
        return new CommandFailure(ExitCodes.ERROR, what, nextStep, null);
    }

    public static CommandFailure usage(String what, String nextStep) {
        return new CommandFailure(ExitCodes.USAGE, what, nextStep, null);
    }

    public static CommandFailure refused(String what, String nextStep) {
        return new CommandFailure(ExitCodes.REFUSED, what, nextStep, null);
    }

    public static CommandFailure unreachable(String what, String nextStep, @Nullable Throwable cause) {
        return new CommandFailure(ExitCodes.UNREACHABLE, what, nextStep, cause);
    }

    public int exitCode() {
        return exitCode;
    }

    public String nextStep() {
        return nextStep;
    }
}
