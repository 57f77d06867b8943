package io.myolotrain.cli.embedded.registry;

import io.vertx.core.json.JsonObject;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One record of {@code _schemas}: Confluent's JSON keys and values. The order of a key's fields is part of the format,
 * because compaction compares bytes. A null {@code value} is a tombstone.
 */
record RegistryRecord(JsonObject key, @Nullable JsonObject value) {

    /** Kinds that this registry reads; others (CONTEXT, CLEAR_SUBJECT) belong to features that it does not have. */
    enum Kind {
        SCHEMA,
        DELETE_SUBJECT,
        CONFIG,
        MODE,
        NOOP
    }

    static RegistryRecord noop() {
        return new RegistryRecord(new JsonObject().put("keytype", "NOOP").put("magic", 0), null);
    }

    static RegistryRecord schema(SchemaVersion s) {
        return new RegistryRecord(
                schemaKey(s.subject(), s.version()),
                new JsonObject()
                        .put("subject", s.subject())
                        .put("version", s.version())
                        .put("id", s.id())
                        .put("schema", s.schema())
                        .put("deleted", s.deleted()));
    }

    static RegistryRecord schemaTombstone(String subject, int version) {
        return new RegistryRecord(schemaKey(subject, version), null);
    }

    private static JsonObject schemaKey(String subject, int version) {
        return new JsonObject()
                .put("keytype", "SCHEMA")
                .put("subject", subject)
                .put("version", version)
                .put("magic", 1);
    }

    /** Soft-deletes every version of the subject up to {@code lastVersion}. */
    static RegistryRecord subjectDeleted(String subject, int lastVersion) {
        return new RegistryRecord(
                key("DELETE_SUBJECT", subject),
                new JsonObject().put("subject", subject).put("version", lastVersion));
    }

    static RegistryRecord subjectDeletionTombstone(String subject) {
        return new RegistryRecord(key("DELETE_SUBJECT", subject), null);
    }

    /** Null subject: the global level. Null level: back to the default. */
    static RegistryRecord config(@Nullable String subject, @Nullable CompatibilityLevel level) {
        return new RegistryRecord(
                key("CONFIG", subject),
                level == null ? null : new JsonObject().put("compatibilityLevel", level.name()));
    }

    static RegistryRecord mode(@Nullable String subject, @Nullable Mode mode) {
        return new RegistryRecord(
                key("MODE", subject), mode == null ? null : new JsonObject().put("mode", mode.name()));
    }

    private static JsonObject key(String kind, @Nullable String subject) {
        JsonObject key = new JsonObject().put("keytype", kind);
        if (subject != null) {
            key.put("subject", subject);
        }
        return key.put("magic", 0);
    }

    Optional<Kind> kind() {
        String name = key.getString("keytype", "");
        for (Kind kind : Kind.values()) {
            if (kind.name().equals(name)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    /** Subject of the key, {@link SchemaState#GLOBAL} when it has none. */
    String subject() {
        return key.getString("subject", SchemaState.GLOBAL);
    }
}
