package io.myolotrain.cli.embedded.registry;

import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What the records of {@code _schemas} add up to. Not thread-safe; {@link SchemaStore} guards it. */
final class SchemaState {
    static final String GLOBAL = "";

    private final TreeMap<String, TreeMap<Integer, SchemaVersion>> subjects = new TreeMap<>();
    private final Map<Integer, String> schemasById = new HashMap<>();
    private final Map<String, Integer> idsBySchema = new HashMap<>();
    private final Map<String, CompatibilityLevel> levels = new HashMap<>();
    private final Map<String, Mode> modes = new HashMap<>();
    private int lastId;

    /** @return false when the record is of a kind that this registry does not keep */
    boolean apply(RegistryRecord record) {
        Optional<RegistryRecord.Kind> kind = record.kind();
        kind.ifPresent(k -> apply(k, record));
        return kind.isPresent();
    }

    private void apply(RegistryRecord.Kind kind, RegistryRecord record) {
        JsonObject value = record.value();
        switch (kind) {
            case SCHEMA -> applySchema(record);
            case DELETE_SUBJECT -> {
                if (value != null) {
                    int last = value.getInteger("version");
                    versionsOf(record.subject()).headMap(last, true).replaceAll((v, s) -> s.asDeleted());
                }
            }
            case CONFIG ->
                put(
                        levels,
                        record.subject(),
                        value == null
                                ? null
                                : CompatibilityLevel.named(value.getString("compatibilityLevel"))
                                        .orElseThrow());
            case MODE ->
                put(
                        modes,
                        record.subject(),
                        value == null
                                ? null
                                : Mode.named(value.getString("mode")).orElseThrow());
            case NOOP -> {}
        }
    }

    private void applySchema(RegistryRecord record) {
        JsonObject value = record.value();
        if (value == null) {
            NavigableMap<Integer, SchemaVersion> versions = versionsOf(record.subject());
            versions.remove(record.key().getInteger("version"));
            if (versions.isEmpty()) {
                subjects.remove(record.subject());
            }
            return;
        }
        SchemaVersion s = new SchemaVersion(
                value.getString("subject"),
                value.getInteger("version"),
                value.getInteger("id"),
                value.getString("schema"),
                value.getBoolean("deleted", false));
        subjects.computeIfAbsent(s.subject(), any -> new TreeMap<>()).put(s.version(), s);
        schemasById.put(s.id(), s.schema());
        idsBySchema.putIfAbsent(s.schema(), s.id());
        lastId = Math.max(lastId, s.id());
    }

    private static <V> void put(Map<String, V> map, String subject, @Nullable V value) {
        if (value == null) {
            map.remove(subject);
        } else {
            map.put(subject, value);
        }
    }

    private NavigableMap<Integer, SchemaVersion> versionsOf(String subject) {
        return subjects.getOrDefault(subject, new TreeMap<>());
    }

    /** Subjects with a live version, or with any when {@code withDeleted}. */
    List<String> subjects(boolean withDeleted) {
        return subjects.keySet().stream()
                .filter(subject -> !versions(subject, withDeleted).isEmpty())
                .toList();
    }

    /** Oldest first. */
    List<SchemaVersion> versions(String subject, boolean withDeleted) {
        return versionsOf(subject).values().stream()
                .filter(s -> withDeleted || !s.deleted())
                .toList();
    }

    List<SchemaVersion> versionsWithId(int id, boolean withDeleted) {
        Predicate<SchemaVersion> wanted = s -> s.id() == id && (withDeleted || !s.deleted());
        return subjects.values().stream()
                .flatMap(versions -> versions.values().stream())
                .filter(wanted)
                .toList();
    }

    Optional<String> schema(int id) {
        return Optional.ofNullable(schemasById.get(id));
    }

    /** The id of this text, wherever it was registered, else the next free one. Ids are never used again. */
    int idFor(String schema) {
        return idsBySchema.getOrDefault(schema, lastId + 1);
    }

    int nextVersion(String subject) {
        NavigableMap<Integer, SchemaVersion> versions = versionsOf(subject);
        return versions.isEmpty() ? 1 : versions.lastKey() + 1;
    }

    Optional<CompatibilityLevel> ownLevel(String subject) {
        return Optional.ofNullable(levels.get(subject));
    }

    CompatibilityLevel level(String subject) {
        return ownLevel(subject).or(() -> ownLevel(GLOBAL)).orElse(CompatibilityLevel.BACKWARD);
    }

    Optional<Mode> ownMode(String subject) {
        return Optional.ofNullable(modes.get(subject));
    }

    Mode mode(String subject) {
        return ownMode(subject).or(() -> ownMode(GLOBAL)).orElse(Mode.READWRITE);
    }
}
