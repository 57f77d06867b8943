package io.myolotrain.topics;

import static org.assertj.core.api.Assertions.assertThat;

import io.confluent.kafka.schemaregistry.client.MockSchemaRegistryClient;
import io.myolotrain.schemas.ConfluentRegistry;
import io.myolotrain.schemas.SchemaRegistry;
import io.myolotrain.schemas.TopicSchemas;
import io.myolotrain.schemas.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Components of several releases share the topics while a cluster is upgraded. */
class NewerReleaseTest {
    private static final String TOPIC = "config-changes";

    private final SchemaRegistry registry = new ConfluentRegistry(new MockSchemaRegistryClient());
    private final Codecs codecs = Codecs.of(registry);

    private static Schema withBody(Schema schema) {
        return new Schema.Parser()
                .parse(schema.toString()
                        .replace(
                                "{\"name\":\"jobSubmission\"",
                                "{\"name\":\"poolMerge\",\"type\":[\"null\",{\"type\":\"record\",\"name\":\"PoolMerge\","
                                        + "\"fields\":[{\"name\":\"other\",\"type\":\"string\"}]}],\"default\":null},"
                                        + "{\"name\":\"jobSubmission\""));
    }

    private byte[] encode(Schema schema, GenericRecord record) throws IOException {
        var out = new ByteArrayOutputStream();
        out.writeBytes(WireFormat.header(registry.idFor(SchemaRegistry.valueSubject(TOPIC), schema)));
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
        new GenericDatumWriter<GenericRecord>(schema).write(record, encoder);
        encoder.flush();
        return out.toByteArray();
    }

    @Test
    @DisplayName(
            "G01 An event of a newer release is named by an older reader, and comes back from the dead letters whole")
    void anUnknownEventIsKeptWithItsKindAndItsBytes() throws Exception {
        Schema newer = withBody(TopicSchemas.current().get(TOPIC));
        var header = new GenericData.Record(newer.getField("header").schema());
        header.put("eventId", "e-1");
        header.put("pool", "p");
        header.put("sender", "alice");
        header.put("sentAtMs", 1L);
        var body = new GenericData.Record(
                newer.getField("poolMerge").schema().getTypes().get(1));
        body.put("other", "p2");
        var event = new GenericData.Record(newer);
        event.put("header", header);
        event.put("kind", "PoolMerge");
        event.put("poolMerge", body);
        byte[] written = encode(newer, event);

        Decoded<Ingress> read = codecs.of(Topics.CONFIG_CHANGES).decode(written);
        assertThat(read).isInstanceOfSatisfying(Decoded.Unreadable.class, unreadable -> assertThat(unreadable.reason())
                .contains("a body that this release knows", "kind=PoolMerge"));

        // The sequencer puts it aside as it was; a release that knows it reads it from there.
        TopicCodec<DeadLetter> letters = codecs.of(Topics.DEAD_LETTERS);
        var letter = new DeadLetter(TOPIC, 0, 7, ((Decoded.Unreadable<Ingress>) read).reason(), written, 2);
        var kept = (Decoded.Value<DeadLetter>) letters.decode(letters.encode(letter));
        byte[] bytes = kept.value().bytes();
        assertThat(bytes).isEqualTo(written);
        GenericRecord again = new GenericDatumReader<GenericRecord>(newer)
                .read(
                        null,
                        DecoderFactory.get()
                                .binaryDecoder(Arrays.copyOfRange(bytes, WireFormat.HEADER_BYTES, bytes.length), null));
        assertThat(((GenericRecord) again.get("poolMerge")).get("other")).hasToString("p2");
    }

    @Test
    @DisplayName(
            "G01 History with a symbol that this release has dropped is read as UNKNOWN, not as an error of its reader")
    void aSymbolOfTheStoredHistoryMayBeGone() throws Exception {
        Schema older = new Schema.Parser().parse("""
                        {"type":"record","name":"R","fields":[{"name":"s","type":{"type":"enum","name":"S",
                          "symbols":["UNKNOWN","CONSTANT","STEPWISE"],"default":"UNKNOWN"}}]}""");
        Schema newer = new Schema.Parser().parse(older.toString().replace(",\"STEPWISE\"", ""));
        var record = new GenericData.Record(older);
        record.put("s", new GenericData.EnumSymbol(older.getField("s").schema(), "STEPWISE"));
        var out = new ByteArrayOutputStream();
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
        new GenericDatumWriter<GenericRecord>(older).write(record, encoder);
        encoder.flush();

        GenericRecord read = new GenericDatumReader<GenericRecord>(older, newer)
                .read(null, DecoderFactory.get().binaryDecoder(out.toByteArray(), null));
        assertThat(read.get("s")).hasToString("UNKNOWN");
    }
}
