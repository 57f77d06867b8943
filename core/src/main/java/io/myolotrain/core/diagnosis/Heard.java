package io.myolotrain.core.diagnosis;

import io.myolotrain.core.coordination.Activity;
import java.util.Optional;

/**
 * The latest heartbeat of one life of a worker.
 *
 * @param ageMillis since it was received, by the reader's clock
 * @param activity empty when it stood by
 */
public record Heard(long ageMillis, Optional<Activity> activity) {}
