package io.myolotrain.schemas;

import java.util.Optional;
import org.apache.avro.Schema;

/** What we need of a registry. Thread-safe; every method may throw {@link RegistryUnavailable}. */
public interface SchemaRegistry extends AutoCloseable {

    /** FULL_TRANSITIVE: every version reads every other, so readers and writers may be upgraded in any order. */
    String FULL_TRANSITIVE = "FULL_TRANSITIVE";

    /**
     * Id of this schema under the subject; registers it when it is new there.
     *
     * @throws SchemaRefused when it breaks the subject's compatibility rule
     */
    int idFor(String subject, Schema schema);

    /** @throws Undecodable when no schema has this id, or when it is none that Avro can read */
    Schema schemaById(int id) throws Undecodable;

    /** Compatibility level set for this very subject; empty when the registry's default applies. */
    Optional<String> compatibility(String subject);

    void setCompatibility(String subject, String level);

    /** Subject of a topic's values, by Confluent's TopicNameStrategy. */
    static String valueSubject(String topic) {
        return topic + "-value";
    }

    @Override
    void close();
}
