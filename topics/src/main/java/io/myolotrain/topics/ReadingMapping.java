package io.myolotrain.topics;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.sampling.Content;
import io.myolotrain.core.sampling.Line;
import io.myolotrain.core.sampling.Origin;
import io.myolotrain.core.sampling.Reading;
import io.myolotrain.core.sampling.Scalars;
import io.myolotrain.schemas.avro.MetricReading;

/** A single value stands in the record itself, as in the first release; everything else is a body. */
final class ReadingMapping implements AvroMapping<Reading, MetricReading> {
    private static final OneBody BODY = new OneBody(MetricReading.getClassSchema());

    @Override
    public Class<MetricReading> type() {
        return MetricReading.class;
    }

    @Override
    public MetricReading toAvro(Reading reading) {
        Origin origin = reading.origin();
        var record = new MetricReading();
        record.setPool(origin.line().pool().value());
        record.setJob(origin.line().job().value());
        record.setAttempt(origin.line().attempt());
        record.setGeneration(origin.line().generation().value());
        record.setStep(origin.step());
        record.setWorker(origin.worker().value());
        record.setRank(origin.rank());
        record.setAtMs(origin.atMs());
        if (reading.content() instanceof Scalars scalars
                && scalars.values().size() == 1
                && !scalars.values().get(0).name().isEmpty()) {
            record.setName(scalars.values().get(0).name());
            record.setValue(scalars.values().get(0).value());
            record.setKind("");
        } else {
            record.setName("");
            BODY.put(record, ContentMapping.BODIES.toAvro(reading.content()));
        }
        return record;
    }

    @Override
    public Reading fromAvro(MetricReading record) {
        var line = new Line(
                new PoolId(record.getPool()),
                new JobId(record.getJob()),
                record.getAttempt(),
                new Generation(record.getGeneration()));
        var origin = new Origin(
                line, record.getStep(), new WorkerId(record.getWorker()), record.getRank(), record.getAtMs());
        return new Reading(origin, content(record));
    }

    private static Content content(MetricReading record) {
        if (record.getKind().isEmpty() && !record.getName().isEmpty()) {
            return Scalars.of(record.getName(), record.getValue());
        }
        if (!record.getName().isEmpty()) {
            throw new IllegalArgumentException("a reading has a name and value, or a body: name=" + record.getName()
                    + " kind=" + record.getKind());
        }
        return ContentMapping.BODIES.fromAvro(BODY.get(record));
    }
}
