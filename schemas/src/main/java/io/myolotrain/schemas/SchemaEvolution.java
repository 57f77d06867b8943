package io.myolotrain.schemas;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;

/**
 * What a change of schemas does to releases that run side by side, and to logs that older ones wrote. Stricter than a
 * registry's FULL_TRANSITIVE in one point: an enum's symbol that one side does not know reads as the default there, which a
 * registry lets pass although the value is lost on that side.
 */
public final class SchemaEvolution {
    private SchemaEvolution() {}

    public enum Kind {
        /** The current release cannot read what the older one wrote. */
        CANNOT_READ_OLD,
        /** The older release cannot read what the current one writes. */
        CANNOT_BE_READ_BY_OLD,
        /** The older release sees the new symbol as the enum's default: upgrade readers before writers. */
        SYMBOL_ADDED,
        /** The current release sees the stored symbol as the enum's default. */
        SYMBOL_REMOVED,
        /** A topic that the older release wrote has no schema any more. */
        TOPIC_REMOVED
    }

    /** @param where path of the schema's part, or the enum's full name and symbol */
    public record Finding(Kind kind, String topic, String where, String detail) {
        @Override
        public String toString() {
            return topic + ": " + kind + " at " + where + " (" + detail + ")";
        }
    }

    /** Compares every topic of an older release with the current one, both ways. Empty = any order of upgrade is safe. */
    public static List<Finding> compare(SortedMap<String, Schema> older, SortedMap<String, Schema> current) {
        var findings = new ArrayList<Finding>();
        older.forEach((topic, was) -> {
            Schema is = current.get(topic);
            if (is == null) {
                findings.add(new Finding(Kind.TOPIC_REMOVED, topic, topic, "keep the schema while records are kept"));
            } else {
                findings.addAll(compare(topic, was, is));
            }
        });
        return List.copyOf(findings);
    }

    static List<Finding> compare(String topic, Schema older, Schema current) {
        var findings = new ArrayList<Finding>();
        addIncompatibilities(Kind.CANNOT_READ_OLD, topic, current, older, findings);
        addIncompatibilities(Kind.CANNOT_BE_READ_BY_OLD, topic, older, current, findings);
        SortedMap<String, Schema> olderEnums = enums(older);
        SortedMap<String, Schema> currentEnums = enums(current);
        olderEnums.forEach((name, was) -> {
            Schema is = currentEnums.get(name);
            if (is != null) {
                addSymbols(Kind.SYMBOL_REMOVED, topic, was, is, findings);
                addSymbols(Kind.SYMBOL_ADDED, topic, is, was, findings);
            }
        });
        return findings;
    }

    private static void addIncompatibilities(
            Kind kind, String topic, Schema reader, Schema writer, List<Finding> findings) {
        var result = SchemaCompatibility.checkReaderWriterCompatibility(reader, writer)
                .getResult();
        for (SchemaCompatibility.Incompatibility found : result.getIncompatibilities()) {
            findings.add(new Finding(kind, topic, found.getLocation(), found.getType() + ": " + found.getMessage()));
        }
    }

    /** Symbols of {@code has} that {@code lacks} does not have. */
    private static void addSymbols(Kind kind, String topic, Schema has, Schema lacks, List<Finding> findings) {
        for (String symbol : has.getEnumSymbols()) {
            if (!lacks.hasEnumSymbol(symbol)) {
                findings.add(new Finding(
                        kind, topic, has.getFullName() + "." + symbol, "reads as " + lacks.getEnumDefault()));
            }
        }
    }

    private static SortedMap<String, Schema> enums(Schema schema) {
        var enums = new TreeMap<String, Schema>();
        collectEnums(schema, new HashSet<>(), enums);
        return enums;
    }

    private static void collectEnums(Schema schema, Set<String> seen, SortedMap<String, Schema> enums) {
        switch (schema.getType()) {
            case ENUM -> enums.put(schema.getFullName(), schema);
            case RECORD -> {
                if (seen.add(schema.getFullName())) {
                    schema.getFields().forEach(field -> collectEnums(field.schema(), seen, enums));
                }
            }
            case ARRAY -> collectEnums(schema.getElementType(), seen, enums);
            case MAP -> collectEnums(schema.getValueType(), seen, enums);
            case UNION -> schema.getTypes().forEach(branch -> collectEnums(branch, seen, enums));
            default -> {
                // a primitive has no symbols
            }
        }
    }
}
