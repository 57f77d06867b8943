package io.myolotrain.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confluent.kafka.schemaregistry.client.MockSchemaRegistryClient;
import io.myolotrain.schemas.avro.ConfigEvent;
import io.myolotrain.schemas.avro.ConfigurationChange;
import io.myolotrain.schemas.avro.EventHeader;
import io.myolotrain.schemas.avro.MetricReading;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;

class WireFormatTest {
    private static final String SUBJECT = "config-changes-value";
    private static final Schema SCHEMA = ConfigEvent.getClassSchema();

    private final SchemaRegistry registry = new ConfluentRegistry(new MockSchemaRegistryClient());
    private final AvroSerializer<ConfigEvent> serializer =
            new AvroSerializer<>(registry, SUBJECT, ConfigEvent.class, SCHEMA);
    private final AvroDeserializer<ConfigEvent> deserializer =
            new AvroDeserializer<>(registry, ConfigEvent.class, SCHEMA);

    @Test
    void aRecordStartsWithZeroAndTheBigEndianSchemaIdAndComesBackEqual() throws Undecodable {
        ConfigEvent event = event();

        byte[] bytes = serializer.serialize(event);

        assertThat(bytes[0]).isZero();
        assertThat(WireFormat.schemaId(bytes)).isEqualTo(registry.idFor(SUBJECT, SCHEMA));
        assertThat(deserializer.deserialize(bytes)).isEqualTo(event);
    }

    @Test
    void everyTruncationOfARecordIsUndecodable() {
        byte[] bytes = serializer.serialize(event());
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> deserializer.deserialize(cut))
                    .as("cut to " + length)
                    .isInstanceOf(Undecodable.class);
        }
    }

    @Test
    void bytesAfterTheRecordAreUndecodable() {
        byte[] bytes = serializer.serialize(event());

        assertThatThrownBy(() -> deserializer.deserialize(Arrays.copyOf(bytes, bytes.length + 1)))
                .isInstanceOf(Undecodable.class)
                .hasMessageContaining("must end where its schema says");
    }

    @Test
    void G03_randomBytesAndFlippedBitsAreUndecodableOrARecordButNeverAnotherFailure() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        byte[] good = serializer.serialize(event());
        int undecodable = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes;
            if (i % 2 == 0) {
                bytes = good.clone();
                for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
                    bytes[WireFormat.HEADER_BYTES + random.nextInt(bytes.length - WireFormat.HEADER_BYTES)] ^=
                            (byte) (1 << random.nextInt(8));
                }
            } else {
                bytes = new byte[random.nextInt(200)];
                random.nextBytes(bytes);
                System.arraycopy(good, 0, bytes, 0, Math.min(bytes.length, WireFormat.HEADER_BYTES));
            }
            try {
                deserializer.deserialize(bytes);
            } catch (Undecodable e) {
                undecodable++;
            }
        }
        assertThat(undecodable).as("seed " + seed).isPositive();
        assertThatCode(() -> deserializer.deserialize(good)).doesNotThrowAnyException();
    }

    @Test
    void aLengthFarBeyondTheRecordIsUndecodableAndAllocatesNothing() {
        byte[] bytes = serializer.serialize(event());
        // header.eventId comes first: its length becomes a varint near 2^31
        byte[] lie = Arrays.copyOf(bytes, bytes.length);
        byte[] huge = {(byte) 0xfe, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f};
        System.arraycopy(huge, 0, lie, WireFormat.HEADER_BYTES, huge.length);

        assertThatThrownBy(() -> deserializer.deserialize(lie)).isInstanceOf(Undecodable.class);
    }

    @Test
    void anUnknownSchemaIdIsUndecodable() {
        byte[] bytes = serializer.serialize(event());
        bytes[1] = 0x7f;

        assertThatThrownBy(() -> deserializer.deserialize(bytes))
                .isInstanceOf(Undecodable.class)
                .hasMessageContaining("must know the writer's schema");
    }

    @Test
    void aRecordOfAnotherTopicIsUndecodable() {
        var reading = new MetricReading(
                "p", "j", "a", 1L, 2L, "w", 0, "train.loss", Double.NaN, 5L, "", null, null, null, null, null);
        byte[] bytes = new AvroSerializer<>(
                        registry, "metric-samples-value", MetricReading.class, MetricReading.getClassSchema())
                .serialize(reading);

        assertThatThrownBy(() -> deserializer.deserialize(bytes)).isInstanceOf(Undecodable.class);
    }

    @Test
    void G02_aNewerWriterWithAFieldInTheMiddleIsReadByName() throws Exception {
        Schema newer = new Schema.Parser()
                .parse(SCHEMA.toString()
                        .replace(
                                "{\"name\":\"kind\"",
                                "{\"name\":\"priority\",\"type\":\"int\",\"default\":0},{\"name\":\"kind\""));
        GenericRecord record = generic(newer, event());
        record.put("priority", 7);

        assertThat(deserializer.deserialize(encode(newer, record))).isEqualTo(event());
    }

    @Test
    void G01_aBodyOfANewerReleaseIsReadWithItsKindAndNoBody() throws Exception {
        Schema newer = new Schema.Parser()
                .parse(SCHEMA.toString()
                        .replace(
                                "{\"name\":\"jobSubmission\"",
                                "{\"name\":\"poolMerge\",\"type\":[\"null\",{\"type\":\"record\",\"name\":\"PoolMerge\","
                                        + "\"fields\":[{\"name\":\"other\",\"type\":\"string\"}]}],\"default\":null},"
                                        + "{\"name\":\"jobSubmission\""));
        GenericRecord record = generic(newer, event());
        record.put("kind", "PoolMerge");
        record.put("configurationChange", null);
        Schema body = newer.getField("poolMerge").schema().getTypes().get(1);
        record.put(
                "poolMerge", new GenericRecordBuilder(body).set("other", "p2").build());

        ConfigEvent read = deserializer.deserialize(encode(newer, record));

        assertThat(read.getKind()).isEqualTo("PoolMerge");
        assertThat(read.getConfigurationChange()).isNull();
    }

    @Test
    void aWritersSchemaThatNestsWithoutEndCannotBringTheReaderDown() throws Exception {
        Schema nested = new Schema.Parser()
                .parse(
                        SCHEMA.toString()
                                .replaceFirst(
                                        "\"fields\":\\[",
                                        "\"fields\":[{\"name\":\"chain\",\"type\":[\"null\",{\"type\":\"record\",\"name\":\"Link\","
                                                + "\"fields\":[{\"name\":\"next\",\"type\":[\"null\",\"Link\"]}]}],\"default\":null},"));
        byte[] plain = serializer.serialize(event());
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(WireFormat.header(registry.idFor(SUBJECT, nested)));
        byte[] links = new byte[900_000];
        Arrays.fill(links, (byte) 2); // branch 1: one link more
        bytes.writeBytes(links);
        bytes.write(0); // branch 0: the end
        bytes.write(plain, WireFormat.HEADER_BYTES, plain.length - WireFormat.HEADER_BYTES);

        assertThatThrownBy(() -> deserializer.deserialize(bytes.toByteArray()))
                .isInstanceOf(Undecodable.class)
                .hasMessageContaining("StackOverflowError");
        assertThat(deserializer.deserialize(plain)).isEqualTo(event());
    }

    @Test
    void oneSerializerAndOneDeserializerServeSeveralThreads() throws Exception {
        byte[] expected = serializer.serialize(event());
        var failures = new java.util.concurrent.ConcurrentLinkedQueue<Throwable>();
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
                try {
                    for (int i = 0; i < 2_000; i++) {
                        assertThat(serializer.serialize(event())).isEqualTo(expected);
                        assertThat(deserializer.deserialize(expected)).isEqualTo(event());
                    }
                } catch (Throwable e) {
                    failures.add(e);
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failures).isEmpty();
    }

    private static ConfigEvent event() {
        var event = new ConfigEvent();
        event.setHeader(new EventHeader("e-1", "pool-a", "alice", 1_700_000_000_000L));
        event.setKind("ConfigurationChange");
        event.setConfigurationChange(new ConfigurationChange("gpt", Map.of("workers", "4"), "alice"));
        return event;
    }

    private static GenericRecord generic(Schema schema, ConfigEvent event) {
        var record = new GenericData.Record(schema);
        SCHEMA.getFields().forEach(field -> record.put(field.name(), event.get(field.pos())));
        return record;
    }

    private byte[] encode(Schema schema, GenericRecord record) throws IOException {
        var out = new ByteArrayOutputStream();
        out.writeBytes(WireFormat.header(registry.idFor(SUBJECT, schema)));
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
        new GenericDatumWriter<GenericRecord>(schema).write(record, encoder);
        encoder.flush();
        return out.toByteArray();
    }
}
