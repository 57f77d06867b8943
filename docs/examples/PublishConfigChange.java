import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Asks a running job for new values, with nothing but a Kafka producer, Avro and the schema registry's REST API.
 *
 * <pre>
 *   java -cp 'kafka-clients.jar:avro.jar:jackson-*.jar:slf4j-api.jar:lz4-java.jar' docs/examples/PublishConfigChange.java \
 *       127.0.0.1:9092 http://127.0.0.1:8081 default demo workers=4 learningRate=0.0005
 * </pre>
 */
public class PublishConfigChange {
    private static final String TOPIC = "config-changes";

    public static void main(String[] args) throws Exception {
        if (args.length < 5) {
            System.err.println("usage: PublishConfigChange BOOTSTRAP REGISTRY_URL POOL JOB KEY=VALUE...");
            System.exit(2);
        }
        String bootstrap = args[0];
        String pool = args[2];
        Map<String, String> changes = new TreeMap<>();
        for (int i = 4; i < args.length; i++) {
            String[] pair = args[i].split("=", 2);
            changes.put(pair[0], pair[1]);
        }

        // 1. The schema, as the registry knows it: nothing is copied by hand.
        JsonNode latest = get(args[1] + "/subjects/" + TOPIC + "-value/versions/latest");
        int schemaId = latest.get("id").asInt();
        Schema schema = new Schema.Parser().parse(latest.get("schema").asText());

        // 2. The event.
        String eventId = UUID.randomUUID().toString();
        GenericRecord event = configurationChange(schema, eventId, pool, args[3], changes);

        // 3. Confluent's wire format: 0x00, the schema's id as 4 bytes big-endian, the Avro binary encoding.
        ByteArrayOutputStream value = new ByteArrayOutputStream();
        DataOutputStream header = new DataOutputStream(value);
        header.writeByte(0);
        header.writeInt(schemaId);
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(value, null);
        new GenericDatumWriter<GenericRecord>(schema).write(event, encoder);
        encoder.flush();

        // 4. The key is the pool: it keeps everything about a pool in one order.
        Map<String, Object> settings = Map.of("bootstrap.servers", bootstrap, "acks", "all");
        try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer())) {
            var written = producer.send(new ProducerRecord<>(TOPIC, pool, value.toByteArray())).get();
            System.out.println("event " + eventId + " is record " + written.partition() + "@" + written.offset()
                    + " of " + TOPIC);
        }
    }

    /** Fields that this example doesn't know get their defaults, so that it works with later schemas, too. */
    private static GenericRecord configurationChange(
            Schema schema, String eventId, String pool, String job, Map<String, String> changes) {
        GenericRecord header = withDefaults(schema.getField("header").schema());
        header.put("eventId", eventId);
        header.put("pool", pool);
        header.put("sender", System.getProperty("user.name", "somebody"));
        header.put("sentAtMs", System.currentTimeMillis());

        Schema bodySchema = schema.getField("configurationChange").schema().getTypes().get(1);
        GenericRecord body = withDefaults(bodySchema);
        body.put("job", job);
        body.put("changes", changes);
        body.put("requestedBy", System.getProperty("user.name", "somebody"));

        GenericRecord event = withDefaults(schema);
        event.put("header", header);
        event.put("kind", bodySchema.getName());
        event.put("configurationChange", body);
        return event;
    }

    private static GenericRecord withDefaults(Schema schema) {
        GenericRecord record = new GenericData.Record(schema);
        for (Schema.Field field : schema.getFields()) {
            if (field.hasDefaultValue()) {
                record.put(field.name(), GenericData.get().getDefaultValue(field));
            }
        }
        return record;
    }

    private static JsonNode get(String url) throws Exception {
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(url)).build(),
                        HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        if (response.statusCode() != 200) {
            throw new IllegalStateException(url + " answered " + response.statusCode() + ": " + response.body());
        }
        return new ObjectMapper().readTree(response.body());
    }
}
