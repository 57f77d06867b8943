package io.myolotrain.schemas;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificRecordBase;
import org.jspecify.annotations.Nullable;

/**
 * Wire format → generated record, resolved from the writer's schema to ours: fields by name, unknown ones skipped, missing
 * ones by default. Thread-safe through one decoder per thread. Bytes are hostile until proven otherwise.
 */
@SuppressWarnings("ThreadLocalUsage") // per deserializer: there is one per topic and process
public final class AvroDeserializer<T extends SpecificRecordBase> {
    /** Writers' schemas kept ready per thread; the least recently used is dropped. */
    private static final int WRITERS_MAX = 64;

    private final SchemaRegistry registry;
    private final Schema schema;
    private final SpecificData data;
    private final ThreadLocal<State<T>> states = ThreadLocal.withInitial(State::new);

    public AvroDeserializer(SchemaRegistry registry, Class<T> type, Schema schema) {
        this.registry = registry;
        this.schema = schema;
        this.data = GeneratedClasses.model(type);
    }

    /**
     * @throws Undecodable when the bytes are to blame
     * @throws RegistryUnavailable when the writer's schema is not known here yet and the registry does not answer
     */
    public T deserialize(byte[] bytes) throws Undecodable {
        int schemaId = WireFormat.schemaId(bytes);
        State<T> state = states.get();
        SpecificDatumReader<T> reader = state.readers.get(schemaId);
        if (reader == null) {
            reader = new SpecificDatumReader<>(registry.schemaById(schemaId), schema, data);
            state.readers.put(schemaId, reader);
        }
        return read(state, reader, bytes, schemaId);
    }

    // StackOverflowError: a writer's schema from outside may be recursive, and its data as deep as it likes.
    private static <T> T read(State<T> state, SpecificDatumReader<T> reader, byte[] bytes, int schemaId)
            throws Undecodable {
        try {
            BinaryDecoder decoder = DecoderFactory.get()
                    .binaryDecoder(
                            bytes, WireFormat.HEADER_BYTES, bytes.length - WireFormat.HEADER_BYTES, state.decoder);
            state.decoder = decoder;
            T record = reader.read(null, decoder);
            if (!decoder.isEnd()) {
                throw new Undecodable("a record must end where its schema says: schemaId=" + schemaId + " bytes="
                        + bytes.length + " left=" + decoder.inputStream().available());
            }
            return record;
        } catch (IOException | RuntimeException | StackOverflowError e) {
            state.decoder = null;
            throw new Undecodable(
                    "a record must be readable by its schema: schemaId=" + schemaId + " bytes=" + bytes.length
                            + " error=" + e.getClass().getSimpleName() + ": " + e.getMessage(),
                    e);
        }
    }

    private static final class State<T> {
        @Nullable BinaryDecoder decoder;

        final Map<Integer, SpecificDatumReader<T>> readers = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Integer, SpecificDatumReader<T>> eldest) {
                return size() > WRITERS_MAX;
            }
        };
    }
}
