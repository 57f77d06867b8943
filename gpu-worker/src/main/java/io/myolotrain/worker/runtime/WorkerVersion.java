package io.myolotrain.worker.runtime;

import java.util.Objects;

/** Release of this worker, from the jar's manifest; {@code development} when run from classes. */
final class WorkerVersion {
    private WorkerVersion() {}

    static String current() {
        return Objects.requireNonNullElse(WorkerVersion.class.getPackage().getImplementationVersion(), "development");
    }
}
