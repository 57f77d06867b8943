package io.myolotrain.sampler;

import io.myolotrain.core.sampling.SamplingRules;
import java.nio.file.Path;
import java.time.Duration;

/**
 * How a sampler runs.
 *
 * @param applicationId consumer group, transactional id and prefix of the internal topics
 * @param stateDirectory local copy of the open points; belongs to one process, may be deleted at any time
 * @param rules which metric is kept at which resolutions
 * @param flush how often changed points are published
 */
public record SamplerOptions(String applicationId, Path stateDirectory, SamplingRules rules, Duration flush) {
    public static final String APPLICATION_ID = "myolotrain-sampler";

    public SamplerOptions {
        if (flush.toMillis() < 1) {
            throw new IllegalArgumentException("flush must be >= 1 ms: flush=" + flush);
        }
    }

    public static SamplerOptions in(Path stateDirectory) {
        return new SamplerOptions(APPLICATION_ID, stateDirectory, SamplingRules.standard(), Duration.ofMillis(200));
    }
}
