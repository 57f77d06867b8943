package io.myolotrain.sampler;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.sampling.MetricPoint;
import io.myolotrain.core.sampling.Reading;

/**
 * What readings must share to be rolled up together. A job that is submitted again is another attempt, and a step that is
 * run again after a failure belongs to another generation: late and repeated readings never mix with the new ones.
 */
record Series(PoolId pool, JobId job, String attempt, Generation generation, String name) {
    static Series of(Reading reading) {
        return new Series(reading.pool(), reading.job(), reading.attempt(), reading.generation(), reading.name());
    }

    static Series of(MetricPoint point) {
        return new Series(point.pool(), point.job(), point.attempt(), point.generation(), point.name());
    }

    String jobKey() {
        return pool + "/" + job;
    }
}
