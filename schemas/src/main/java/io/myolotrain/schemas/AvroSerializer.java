package io.myolotrain.schemas;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.OptionalInt;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecordBase;
import org.jspecify.annotations.Nullable;

/** Generated record → wire format. Thread-safe; asks the registry once. */
@SuppressWarnings("ThreadLocalUsage") // per serializer: there is one per topic and process
public final class AvroSerializer<T extends SpecificRecordBase> {
    private static final int TYPICAL_BYTES = 256;

    private final SchemaRegistry registry;
    private final String subject;
    private final Schema schema;
    private final ThreadLocal<@Nullable BinaryEncoder> encoders = new ThreadLocal<>();
    private final SpecificDatumWriter<T> writer; // stateless between records
    private volatile OptionalInt schemaId = OptionalInt.empty();

    public AvroSerializer(SchemaRegistry registry, String subject, Class<T> type, Schema schema) {
        this.registry = registry;
        this.subject = subject;
        this.schema = schema;
        this.writer = new SpecificDatumWriter<>(schema, GeneratedClasses.model(type));
    }

    /** @throws RegistryUnavailable before the first success only */
    public byte[] serialize(T record) {
        var out = new ByteArrayOutputStream(TYPICAL_BYTES);
        out.writeBytes(WireFormat.header(schemaId()));
        try {
            BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, encoders.get());
            encoders.set(encoder);
            writer.write(record, encoder);
            encoder.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("a byte array cannot fail", e);
        }
        return out.toByteArray();
    }

    /** Id of our schema; registers it when needed, so that a component can do so before it takes work. */
    public int schemaId() {
        OptionalInt known = schemaId;
        if (known.isPresent()) {
            return known.getAsInt();
        }
        int id = registry.idFor(subject, schema);
        schemaId = OptionalInt.of(id);
        return id;
    }
}
