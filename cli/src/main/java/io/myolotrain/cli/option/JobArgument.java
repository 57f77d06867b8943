package io.myolotrain.cli.option;

import io.myolotrain.cli.CommandFailure;
import io.myolotrain.core.model.JobId;
import picocli.CommandLine.Parameters;

/** The job that a command is about. */
public final class JobArgument {
    @Parameters(index = "0", paramLabel = "JOB", description = "Name of the job.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String name;

    public JobId id() {
        try {
            return new JobId(name);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage(
                    String.valueOf(e.getMessage()), "'myolotrain job list' shows the jobs that there are.");
        }
    }
}
