package io.myolotrain.topics;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.sampling.Line;
import io.myolotrain.core.sampling.MetricPoint;
import io.myolotrain.core.sampling.Summary;
import io.myolotrain.core.sampling.Window;
import io.myolotrain.schemas.avro.PointUnit;

final class PointMapping implements AvroMapping<MetricPoint, io.myolotrain.schemas.avro.MetricPoint> {

    @Override
    public Class<io.myolotrain.schemas.avro.MetricPoint> type() {
        return io.myolotrain.schemas.avro.MetricPoint.class;
    }

    @Override
    public io.myolotrain.schemas.avro.MetricPoint toAvro(MetricPoint point) {
        Summary summary = point.summary();
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
                summary.min(),
                summary.max(),
                summary.mean(),
                summary.last(),
                summary.count(),
                summary.nonFinite(),
                summary.positiveInfinities(),
                summary.negativeInfinities(),
                summary.firstNonFiniteStep(),
                point.part());
    }

    @Override
    public MetricPoint fromAvro(io.myolotrain.schemas.avro.MetricPoint record) {
        var line = new Line(
                new PoolId(record.getPool()),
                new JobId(record.getJob()),
                record.getAttempt(),
                new Generation(record.getGeneration()));
        var summary = new Summary(
                record.getMin(),
                record.getMax(),
                record.getMean(),
                record.getLast(),
                record.getCount(),
                record.getNonFinite(),
                record.getPositiveInfinities(),
                record.getNegativeInfinities(),
                record.getFirstNonFiniteStep());
        return new MetricPoint(
                line,
                record.getName(),
                new Window(Symbols.toCore(MetricPoint.Unit.class, record.getUnit()), record.getWidth()),
                record.getPart(),
                record.getFirstStep(),
                record.getLastStep(),
                record.getFirstAtMs(),
                record.getLastAtMs(),
                summary);
    }
}
