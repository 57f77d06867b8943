package io.myolotrain.cli;

/** What the command's exit status says; part of its interface. */
public final class ExitCodes {
    public static final int OK = 0;
    /** Something went wrong that is not among the others. */
    public static final int ERROR = 1;
    /** The command line itself is wrong. */
    public static final int USAGE = 2;
    /** The coordinator refused what was asked, or an audit found a difference. */
    public static final int REFUSED = 3;
    /** Broker, registry or job did not answer in time. */
    public static final int UNREACHABLE = 4;

    private ExitCodes() {}
}
