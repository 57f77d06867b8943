package io.myolotrain.topics;

import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.schemas.avro.DecisionRecord;
import io.myolotrain.schemas.avro.FactRecord;
import java.util.ArrayList;

final class DecisionMapping implements AvroMapping<Decision, DecisionRecord> {
    private static final OneBody BODY = new OneBody(FactRecord.getClassSchema());

    @Override
    public Class<DecisionRecord> type() {
        return DecisionRecord.class;
    }

    @Override
    public DecisionRecord toAvro(Decision decision) {
        var facts = new ArrayList<FactRecord>(decision.facts().size());
        for (Fact fact : decision.facts()) {
            var record = new FactRecord();
            BODY.put(record, FactMapping.BODIES.toAvro(fact));
            facts.add(record);
        }
        return new DecisionRecord(
                decision.offset(),
                decision.eventId(),
                decision.atMs(),
                decision.plannerVersion(),
                decision.stateHash(),
                facts);
    }

    @Override
    public Decision fromAvro(DecisionRecord record) {
        var facts = new ArrayList<Fact>(record.getFacts().size());
        for (FactRecord fact : record.getFacts()) {
            facts.add(FactMapping.BODIES.fromAvro(BODY.get(fact)));
        }
        return new Decision(
                record.getOffset(),
                record.getEventId(),
                record.getAtMs(),
                record.getPlannerVersion(),
                record.getStateHash(),
                facts);
    }
}
