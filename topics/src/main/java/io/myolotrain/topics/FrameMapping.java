package io.myolotrain.topics;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.sampling.Line;
import io.myolotrain.core.sampling.MetricFrame;
import io.myolotrain.core.sampling.Origin;

final class FrameMapping implements AvroMapping<MetricFrame, io.myolotrain.schemas.avro.MetricFrame> {
    private static final OneBody BODY = new OneBody(io.myolotrain.schemas.avro.MetricFrame.getClassSchema());

    @Override
    public Class<io.myolotrain.schemas.avro.MetricFrame> type() {
        return io.myolotrain.schemas.avro.MetricFrame.class;
    }

    @Override
    public io.myolotrain.schemas.avro.MetricFrame toAvro(MetricFrame frame) {
        Origin origin = frame.origin();
        var record = new io.myolotrain.schemas.avro.MetricFrame();
        record.setPool(origin.line().pool().value());
        record.setJob(origin.line().job().value());
        record.setAttempt(origin.line().attempt());
        record.setGeneration(origin.line().generation().value());
        record.setStep(origin.step());
        record.setWorker(origin.worker().value());
        record.setRank(origin.rank());
        record.setAtMs(origin.atMs());
        BODY.put(record, ContentMapping.BODIES.toAvro(frame.frame()));
        return record;
    }

    @Override
    public MetricFrame fromAvro(io.myolotrain.schemas.avro.MetricFrame record) {
        var line = new Line(
                new PoolId(record.getPool()),
                new JobId(record.getJob()),
                record.getAttempt(),
                new Generation(record.getGeneration()));
        var origin = new Origin(
                line, record.getStep(), new WorkerId(record.getWorker()), record.getRank(), record.getAtMs());
        return new MetricFrame(origin, ContentMapping.frame(BODY.get(record)));
    }
}
