package io.myolotrain.cli.embedded.registry;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The registry's operations. Writes decide on the state that they change, so they are serialised: two clients that
 * register at once get the same id for the same schema and different ids for different ones.
 */
final class Subjects {
    private static final int SUBJECT_CHARS_MAX = 255;

    private final SchemaStore store;

    Subjects(SchemaStore store) {
        this.store = store;
    }

    /** @return id of the schema, old or new */
    synchronized int register(String subject, String text) {
        requireName(subject);
        requireWritable(subject);
        Schema schema = parse(text);
        String canonical = schema.toString();
        for (SchemaVersion s : store.read(state -> state.versions(subject, false))) {
            if (s.schema().equals(canonical)) {
                return s.id();
            }
        }
        List<String> violations = violations(subject, schema);
        if (!violations.isEmpty()) {
            throw RegistryException.incompatible(subject, violations);
        }
        SchemaVersion added = store.read(state ->
                new SchemaVersion(subject, state.nextVersion(subject), state.idFor(canonical), canonical, false));
        store.write(RegistryRecord.schema(added));
        return added.id();
    }

    SchemaVersion lookUp(String subject, String text, boolean withDeleted) {
        List<SchemaVersion> versions = versions(subject, withDeleted);
        String canonical = parse(text).toString();
        return versions.stream()
                .filter(s -> s.schema().equals(canonical))
                .reduce((older, newer) -> newer)
                .orElseThrow(RegistryException::schemaNotFound);
    }

    List<SchemaVersion> versions(String subject, boolean withDeleted) {
        List<SchemaVersion> versions = store.read(state -> state.versions(subject, withDeleted));
        if (versions.isEmpty()) {
            throw RegistryException.subjectNotFound(subject);
        }
        return versions;
    }

    /** @param version a number, {@code latest} or {@code -1} */
    SchemaVersion version(String subject, String version, boolean withDeleted) {
        int number = versionNumber(version);
        List<SchemaVersion> versions = versions(subject, withDeleted);
        return number < 0
                ? versions.get(versions.size() - 1)
                : versions.stream()
                        .filter(s -> s.version() == number)
                        .findFirst()
                        .orElseThrow(() -> RegistryException.versionNotFound(version));
    }

    private static int versionNumber(String version) {
        if (version.equals("latest") || version.equals("-1")) {
            return -1;
        }
        try {
            int number = Integer.parseInt(version);
            if (number >= 1) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            throw RegistryException.invalidVersion(version);
        }
        throw RegistryException.invalidVersion(version);
    }

    /** What the subject's level says of a candidate, against as many versions as the level asks for. */
    List<String> violations(String subject, Schema candidate) {
        return CompatibilityRules.violations(
                store.read(state -> state.level(subject)),
                candidate,
                store.read(state -> state.versions(subject, false)).stream()
                        .map(Subjects::earlier)
                        .toList());
    }

    List<String> violations(String subject, Schema candidate, String version) {
        Optional<SchemaVersion> against =
                store.read(state -> state.versions(subject, false)).isEmpty() && versionNumber(version) < 0
                        ? Optional.empty() // a first version is compatible with whatever came before it
                        : Optional.of(version(subject, version, false));
        return CompatibilityRules.violations(
                store.read(state -> state.level(subject)),
                candidate,
                against.map(Subjects::earlier).stream().toList());
    }

    private static CompatibilityRules.Earlier earlier(SchemaVersion s) {
        return new CompatibilityRules.Earlier(s.version(), parse(s.schema()));
    }

    static Schema parse(String text) {
        try {
            return new Schema.Parser().parse(text);
        } catch (AvroRuntimeException e) {
            throw RegistryException.invalidSchema(String.valueOf(e.getMessage()));
        }
    }

    /** @return the versions that are gone */
    synchronized List<Integer> deleteSubject(String subject, boolean permanent) {
        requireWritable(subject);
        List<SchemaVersion> versions = versions(subject, permanent);
        var numbers = new ArrayList<Integer>();
        versions.forEach(s -> numbers.add(s.version()));
        if (!permanent) {
            store.write(RegistryRecord.subjectDeleted(subject, numbers.get(numbers.size() - 1)));
            return numbers;
        }
        if (versions.stream().anyMatch(s -> !s.deleted())) {
            throw RegistryException.subjectNotSoftDeleted(subject);
        }
        numbers.forEach(number -> store.write(RegistryRecord.schemaTombstone(subject, number)));
        store.write(RegistryRecord.subjectDeletionTombstone(subject));
        store.write(RegistryRecord.config(subject, null));
        store.write(RegistryRecord.mode(subject, null));
        return numbers;
    }

    synchronized int deleteVersion(String subject, String version, boolean permanent) {
        requireWritable(subject);
        SchemaVersion s = version(subject, version, permanent);
        if (permanent && !s.deleted()) {
            throw RegistryException.versionNotSoftDeleted(subject, s.version());
        }
        store.write(
                permanent
                        ? RegistryRecord.schemaTombstone(subject, s.version())
                        : RegistryRecord.schema(s.asDeleted()));
        return s.version();
    }

    /** Null subject: the global level. Null level: back to the default. */
    synchronized void setLevel(@Nullable String subject, @Nullable CompatibilityLevel level) {
        store.write(RegistryRecord.config(subject, level));
    }

    synchronized void setMode(@Nullable String subject, @Nullable Mode mode) {
        store.write(RegistryRecord.mode(subject, mode));
    }

    private static void requireName(String subject) {
        if (subject.isBlank()
                || subject.length() > SUBJECT_CHARS_MAX
                || subject.chars().anyMatch(Character::isISOControl)) {
            throw RegistryException.invalidSubject(subject);
        }
    }

    private void requireWritable(String subject) {
        if (store.read(state -> state.mode(subject)) == Mode.READONLY) {
            throw RegistryException.readOnly(subject);
        }
    }
}
