package io.myolotrain.topics;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.sampling.MetricPoint;
import io.myolotrain.schemas.avro.PointUnit;

final class PointMapping implements AvroMapping<MetricPoint, io.myolotrain.schemas.avro.MetricPoint> {

    @Override
    public Class<io.myolotrain.schemas.avro.MetricPoint> type() {
        return io.myolotrain.schemas.avro.MetricPoint.class;
    }

    @Override
    public io.myolotrain.schemas.avro.MetricPoint toAvro(MetricPoint point) {
        return new io.myolotrain.schemas.avro.MetricPoint(
                point.pool().value(),
                point.job().value(),
                point.attempt(),
                point.generation().value(),
                point.name(),
                Symbols.toAvro(PointUnit.class, point.unit()),
                point.width(),
                point.firstStep(),
                point.lastStep(),
                point.firstAtMs(),
                point.lastAtMs(),
                point.min(),
                point.max(),
                point.mean(),
                point.last(),
                point.count(),
                point.nonFinite());
    }

    @Override
    public MetricPoint fromAvro(io.myolotrain.schemas.avro.MetricPoint record) {
        return new MetricPoint(
                new PoolId(record.getPool()),
                new JobId(record.getJob()),
                record.getAttempt(),
                new Generation(record.getGeneration()),
                record.getName(),
                Symbols.toCore(MetricPoint.Unit.class, record.getUnit()),
                record.getWidth(),
                record.getFirstStep(),
                record.getLastStep(),
                record.getFirstAtMs(),
                record.getLastAtMs(),
                record.getMin(),
                record.getMax(),
                record.getMean(),
                record.getLast(),
                record.getCount(),
                record.getNonFinite());
    }
}
