package io.myolotrain.schemas;

import io.confluent.kafka.schemaregistry.ParsedSchema;
import io.confluent.kafka.schemaregistry.avro.AvroSchema;
import io.confluent.kafka.schemaregistry.client.CachedSchemaRegistryClient;
import io.confluent.kafka.schemaregistry.client.SchemaRegistryClient;
import io.confluent.kafka.schemaregistry.client.SchemaRegistryClientConfig;
import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.avro.Schema;

/** Confluent's own client behind {@link SchemaRegistry}: tells what the record, the schema and the registry are to blame for. */
public final class ConfluentRegistry implements SchemaRegistry {
    /** Schemas cached per subject; we have a handful of versions, outsiders may have more. */
    private static final int SCHEMAS_PER_SUBJECT_MAX = 1_000;

    /** Ids of schemas that are not Avro: an id's meaning never changes, so each is asked for once. The oldest is forgotten. */
    private static final int FOREIGN_IDS_MAX = 1_000;

    private static final int CONNECT_TIMEOUT_MS = 2_000;
    private static final int READ_TIMEOUT_MS = 5_000;

    /** A flood of records with invented ids asks the registry once per id and 10 s. */
    private static final long MISSING_ID_TTL_SECONDS = 10;

    private static final int SUBJECT_NOT_FOUND = 40401;
    private static final int SCHEMA_NOT_FOUND = 40403;
    private static final int SUBJECT_LEVEL_NOT_SET = 40408;
    private static final int CONFLICT = 409;
    private static final int UNPROCESSABLE = 422;

    private final SchemaRegistryClient client;
    private final Map<Integer, String> foreignIds = Collections.synchronizedMap(new BoundedMap<>(FOREIGN_IDS_MAX));

    public ConfluentRegistry(SchemaRegistryClient client) {
        this.client = client;
    }

    /**
     * @param urls one or more base addresses, separated by commas
     * @param properties further settings of Confluent's client, for example authentication and TLS
     */
    public static ConfluentRegistry connect(String urls, Map<String, String> properties) {
        Map<String, Object> settings = new TreeMap<>();
        settings.put(SchemaRegistryClientConfig.HTTP_CONNECT_TIMEOUT_MS, CONNECT_TIMEOUT_MS);
        settings.put(SchemaRegistryClientConfig.HTTP_READ_TIMEOUT_MS, READ_TIMEOUT_MS);
        settings.put(SchemaRegistryClientConfig.MISSING_ID_CACHE_TTL_CONFIG, MISSING_ID_TTL_SECONDS);
        settings.putAll(properties);
        return new ConfluentRegistry(
                new CachedSchemaRegistryClient(List.of(urls.split(",")), SCHEMAS_PER_SUBJECT_MAX, settings));
    }

    @Override
    public int idFor(String subject, Schema schema) {
        try {
            return client.register(subject, new AvroSchema(schema));
        } catch (RestClientException e) {
            if (e.getStatus() == CONFLICT || e.getStatus() == UNPROCESSABLE) {
                throw new SchemaRefused(
                        "the registry must accept the schema of this release: subject=" + subject + " answer="
                                + e.getMessage(),
                        e);
            }
            throw unavailable("register a schema of " + subject, e);
        } catch (IOException e) {
            throw unavailable("register a schema of " + subject, e);
        }
    }

    @Override
    public Schema schemaById(int id) throws Undecodable {
        String known = foreignIds.get(id);
        if (known != null) {
            throw new Undecodable(known);
        }
        try {
            ParsedSchema parsed = client.getSchemaById(id);
            if (parsed instanceof AvroSchema avro) {
                return avro.rawSchema();
            }
            throw foreign(id, parsed.schemaType());
        } catch (RestClientException e) {
            if (e.getErrorCode() == SCHEMA_NOT_FOUND || e.getErrorCode() == SUBJECT_NOT_FOUND) {
                throw new Undecodable("the registry must know the writer's schema: schemaId=" + id, e);
            }
            throw unavailable("read schema " + id, e);
        } catch (IOException e) {
            // The client's way of saying that no provider could parse it: another schema type, or no valid Avro.
            if (String.valueOf(e.getMessage()).startsWith("Invalid schema")) {
                throw foreign(id, "not readable");
            }
            throw unavailable("read schema " + id, e);
        }
    }

    private Undecodable foreign(int id, String type) {
        String reason = "the writer's schema must be Avro: schemaId=" + id + " type=" + type;
        foreignIds.put(id, reason);
        return new Undecodable(reason);
    }

    @Override
    public Optional<String> compatibility(String subject) {
        try {
            return Optional.ofNullable(client.getCompatibility(subject));
        } catch (RestClientException e) {
            if (e.getErrorCode() == SUBJECT_LEVEL_NOT_SET || e.getErrorCode() == SUBJECT_NOT_FOUND) {
                return Optional.empty();
            }
            throw unavailable("read the compatibility level of " + subject, e);
        } catch (IOException e) {
            throw unavailable("read the compatibility level of " + subject, e);
        }
    }

    @Override
    public void setCompatibility(String subject, String level) {
        try {
            client.updateCompatibility(subject, level);
        } catch (RestClientException | IOException e) {
            throw unavailable("set the compatibility level of " + subject, e);
        }
    }

    private static RegistryUnavailable unavailable(String wish, Exception cause) {
        return new RegistryUnavailable(
                "the schema registry could not " + wish + ": " + cause.getMessage()
                        + "; check that it runs and its address",
                cause);
    }

    @Override
    public void close() {
        try {
            client.close();
        } catch (IOException e) {
            throw unavailable("close its connection", e);
        }
    }

    /** Forgets the entry that was put first. */
    private static final class BoundedMap<K, V> extends LinkedHashMap<K, V> {
        private final int max;

        BoundedMap(int max) {
            this.max = max;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > max;
        }
    }
}
