package io.myolotrain.core.sampling;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;

/**
 * What readings must share to be drawn as one line. A job that is submitted again is another attempt, and a step that is run
 * again after a failure belongs to another generation: late and repeated readings never mix with the new ones, and the cut
 * between two lines is the same for every metric of the run.
 */
public record Line(PoolId pool, JobId job, String attempt, Generation generation) {}
