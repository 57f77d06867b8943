package io.myolotrain.cli.demo;

import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.JobState;
import java.util.Optional;

/** The job that the demo is about: an unfinished one of the log if there is any, else a new one. */
final class DemoJob {
    static final String NAME = "demo";

    private DemoJob() {}

    static Optional<JobState> unfinished(ClusterState state) {
        return state.jobs().values().stream()
                .filter(JobState::live)
                .min((a, b) -> Boolean.compare(isDemo(b), isDemo(a)));
    }

    private static boolean isDemo(JobState job) {
        return job.id().value().equals(NAME);
    }
}
