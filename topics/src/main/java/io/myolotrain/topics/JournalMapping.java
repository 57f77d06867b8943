package io.myolotrain.topics;

import io.myolotrain.schemas.avro.JournalRecord;

final class JournalMapping implements AvroMapping<JournalLine, JournalRecord> {
    private static final OneBody BODY = new OneBody(JournalRecord.getClassSchema());

    @Override
    public Class<JournalRecord> type() {
        return JournalRecord.class;
    }

    @Override
    public JournalRecord toAvro(JournalLine line) {
        var record = new JournalRecord();
        record.setEventId(line.eventId());
        record.setAtMs(line.atMs());
        BODY.put(record, EventMapping.BODIES.toAvro(line.event()));
        return record;
    }

    @Override
    public JournalLine fromAvro(JournalRecord record) {
        return new JournalLine(record.getEventId(), record.getAtMs(), EventMapping.BODIES.fromAvro(BODY.get(record)));
    }
}
