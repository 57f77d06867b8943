package io.myolotrain.cli.embedded.registry;

import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.Incompatibility;

/** Avro's schema resolution asked in the directions that a level demands. */
final class CompatibilityRules {
    private CompatibilityRules() {}

    /** An earlier version, as parsed. */
    record Earlier(int version, Schema schema) {}

    /**
     * @param earlier oldest first
     * @return what breaks the level, one sentence each; empty = compatible
     */
    static List<String> violations(CompatibilityLevel level, Schema candidate, List<Earlier> earlier) {
        List<Earlier> against =
                level.transitive || earlier.isEmpty() ? earlier : List.of(earlier.get(earlier.size() - 1));
        var violations = new ArrayList<String>();
        for (Earlier old : against) {
            if (level.newReadsOld) {
                explain("new schema cannot read data of version " + old.version, candidate, old.schema, violations);
            }
            if (level.oldReadsNew) {
                explain(
                        "version " + old.version + " cannot read data of the new schema",
                        old.schema,
                        candidate,
                        violations);
            }
        }
        return List.copyOf(violations);
    }

    private static void explain(String what, Schema reader, Schema writer, List<String> violations) {
        for (Incompatibility found : SchemaCompatibility.checkReaderWriterCompatibility(reader, writer)
                .getResult()
                .getIncompatibilities()) {
            violations.add(what + ": " + found.getType() + " at " + found.getLocation() + ": " + found.getMessage());
        }
    }
}
