package io.myolotrain.sampler;

import io.myolotrain.core.sampling.Line;
import io.myolotrain.core.sampling.MetricPoint;

/** One metric of one line: what is rolled up together. */
record Series(Line line, String name) {
    static Series of(MetricPoint point) {
        return new Series(point.line(), point.name());
    }

    String jobKey() {
        return line.pool() + "/" + line.job();
    }
}
