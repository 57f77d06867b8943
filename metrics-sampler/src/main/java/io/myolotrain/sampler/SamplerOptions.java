package io.myolotrain.sampler;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How a sampler runs.
 *
 * @param applicationId consumer group, transactional id and prefix of the internal topics
 * @param stateDirectory belongs to one process, may be deleted at any time
 * @param flush how often changed points are published and committed
 */
public record SamplerOptions(String applicationId, Path stateDirectory, Duration flush) {
    public static final String APPLICATION_ID = "myolotrain-sampler";

    public SamplerOptions {
        if (flush.toMillis() < 1) {
            throw new IllegalArgumentException("flush must be >= 1 ms: flush=" + flush);
        }
    }

    public static SamplerOptions in(Path stateDirectory) {
        return new SamplerOptions(APPLICATION_ID, stateDirectory, Duration.ofMillis(100));
    }
}
