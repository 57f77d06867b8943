package io.myolotrain.topics;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.sampling.Reading;
import io.myolotrain.schemas.avro.MetricReading;

final class ReadingMapping implements AvroMapping<Reading, MetricReading> {

    @Override
    public Class<MetricReading> type() {
        return MetricReading.class;
    }

    @Override
    public MetricReading toAvro(Reading reading) {
        return new MetricReading(
                reading.pool().value(),
                reading.job().value(),
                reading.attempt(),
                reading.generation().value(),
                reading.step(),
                reading.worker().value(),
                reading.rank(),
                reading.name(),
                reading.value(),
                reading.atMs());
    }

    @Override
    public Reading fromAvro(MetricReading record) {
        return new Reading(
                new PoolId(record.getPool()),
                new JobId(record.getJob()),
                record.getAttempt(),
                new Generation(record.getGeneration()),
                record.getStep(),
                new WorkerId(record.getWorker()),
                record.getRank(),
                record.getName(),
                record.getValue(),
                record.getAtMs());
    }
}
