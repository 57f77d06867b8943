package io.myolotrain.topics;

import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecordBase;
import org.jspecify.annotations.Nullable;

/**
 * The rule of the envelopes: of the optional body fields exactly one is set. Optional fields, not one union: a field with a
 * default may be added in any order of upgrade, a union's branch may not.
 */
final class OneBody {
    private static final String KIND = "kind";

    private final String envelope;
    private final int kindPosition;
    private final Map<String, Integer> positionByBody = new TreeMap<>();

    OneBody(Schema envelope) {
        this.envelope = envelope.getName();
        this.kindPosition = envelope.getField(KIND).pos();
        for (Schema.Field field : envelope.getFields()) {
            if (field.schema().isNullable()) {
                positionByBody.put(bodyOf(field).getFullName(), field.pos());
            }
        }
    }

    private static Schema bodyOf(Schema.Field field) {
        return field.schema().getTypes().stream()
                .filter(branch -> branch.getType() == Schema.Type.RECORD)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("a body must be a record: field=" + field.name()));
    }

    boolean accepts(SpecificRecordBase body) {
        return positionByBody.containsKey(body.getSchema().getFullName());
    }

    void put(SpecificRecordBase envelopeRecord, SpecificRecordBase body) {
        Integer position = positionByBody.get(body.getSchema().getFullName());
        if (position == null) {
            throw new IllegalArgumentException(envelope + " must hold one of " + positionByBody.keySet() + ": body="
                    + body.getSchema().getName());
        }
        envelopeRecord.put(kindPosition, body.getSchema().getName());
        envelopeRecord.put(position, body);
    }

    SpecificRecordBase get(SpecificRecordBase envelopeRecord) {
        @Nullable SpecificRecordBase found = null;
        for (int position : positionByBody.values()) {
            if (envelopeRecord.get(position) instanceof SpecificRecordBase body) {
                if (found != null) {
                    throw new IllegalArgumentException(envelope + " must have exactly one body: bodies="
                            + found.getSchema().getName() + ", "
                            + body.getSchema().getName());
                }
                found = body;
            }
        }
        if (found == null) {
            throw new IllegalArgumentException(
                    envelope + " must have a body that this release knows: kind=" + envelopeRecord.get(kindPosition));
        }
        return found;
    }
}
