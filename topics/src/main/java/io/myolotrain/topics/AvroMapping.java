package io.myolotrain.topics;

import org.apache.avro.specific.SpecificRecordBase;

/**
 * A topic's value in both vocabularies. {@code fromAvro} throws {@link IllegalArgumentException} with the broken rule when
 * the record is well-formed Avro but no value of ours.
 */
interface AvroMapping<V, A extends SpecificRecordBase> {
    Class<A> type();

    A toAvro(V value);

    V fromAvro(A record);
}
