package io.myolotrain.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchemaCompatibilityTest {
    private static final Path RELEASED = Path.of("released");
    private static final Path ACCEPTED = RELEASED.resolve("accepted-symbols.txt");

    private static final String V1 = """
            {"type":"record","name":"E","fields":[
              {"name":"id","type":"string"},
              {"name":"phase","type":{"type":"enum","name":"Phase","symbols":["UNKNOWN","ON","OFF"],"default":"UNKNOWN"}}]}""";

    @Test
    void everyReleasedSchemaAndTheCurrentOneReadEachOther() throws IOException {
        List<String> accepted = Files.readAllLines(ACCEPTED);
        List<String> unexpected = new ArrayList<>();
        ReleasedSchemas.read(RELEASED).forEach((version, schemas) -> {
            for (SchemaEvolution.Finding finding : SchemaEvolution.compare(schemas, TopicSchemas.current())) {
                if (!accepted.contains(finding.kind() + " " + finding.where())) {
                    unexpected.add(version + " " + finding);
                }
            }
        });
        assertThat(unexpected).isEmpty();
    }

    @Test
    void everyEnumHasUnknownAsItsDefaultAndEveryOptionalBodyHasNull() {
        TopicSchemas.current().forEach((topic, schema) -> {
            String text = schema.toString();
            int enums = text.split("\"type\":\"enum\"", -1).length - 1;
            int defaults = text.split("\"default\":\"UNKNOWN\"", -1).length - 1;
            assertThat(defaults).as("defaults of the enums of " + topic).isEqualTo(enums);
            for (Schema.Field field : schema.getFields()) {
                assertThat(field.schema().isNullable())
                        .as(topic + "." + field.name() + ": nullable exactly when it has a null default")
                        .isEqualTo(field.hasDefaultValue()
                                && field.defaultVal() == org.apache.avro.JsonProperties.NULL_VALUE);
            }
        });
    }

    @Test
    void G02_everyFieldOfEveryTopicCanBeAddedToWithoutBreakingTheReleaseBefore(@TempDir Path directory)
            throws IOException {
        ReleasedSchemas.write(directory, "3.0.0", TopicSchemas.current());

        SortedMap<String, Schema> next = changed("journal", "{\"name\":\"eventId\"", """
                {"name":"note","type":"string","default":""},{"name":"eventId\"""");

        assertThat(SchemaEvolution.compare(ReleasedSchemas.read(directory).get("3.0.0"), next))
                .isEmpty();
    }

    @Test
    void G02_aRequiredFieldWithoutADefaultIsCaughtAsUnableToReadTheOldLog(@TempDir Path directory) throws IOException {
        ReleasedSchemas.write(directory, "3.0.0", TopicSchemas.current());

        SortedMap<String, Schema> next = changed("journal", "{\"name\":\"eventId\"", """
                {"name":"note","type":"string"},{"name":"eventId\"""");

        assertThat(SchemaEvolution.compare(ReleasedSchemas.read(directory).get("3.0.0"), next))
                .extracting(SchemaEvolution.Finding::kind)
                .containsExactly(SchemaEvolution.Kind.CANNOT_READ_OLD);
    }

    @Test
    void aRemovedRequiredFieldIsCaughtAsUnreadableByTheOldRelease() {
        assertThat(compare(V1, V1.replace("{\"name\":\"id\",\"type\":\"string\"},", "")))
                .extracting(SchemaEvolution.Finding::kind)
                .containsExactly(SchemaEvolution.Kind.CANNOT_BE_READ_BY_OLD);
    }

    @Test
    void G01_anAddedAndARemovedSymbolAreToldAlthoughARegistryLetsThemPass() {
        String renamed = V1.replace("\"OFF\"", "\"HALF\"");

        assertThat(compare(V1, renamed))
                .extracting(SchemaEvolution.Finding::kind, SchemaEvolution.Finding::where)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(SchemaEvolution.Kind.SYMBOL_REMOVED, "Phase.OFF"),
                        org.assertj.core.groups.Tuple.tuple(SchemaEvolution.Kind.SYMBOL_ADDED, "Phase.HALF"));
    }

    @Test
    void aRemovedTopicIsTold() {
        var without = new TreeMap<>(TopicSchemas.current());
        without.remove("decisions");

        assertThat(SchemaEvolution.compare(TopicSchemas.current(), without))
                .extracting(SchemaEvolution.Finding::kind)
                .containsExactly(SchemaEvolution.Kind.TOPIC_REMOVED);
    }

    @Test
    void aReleaseIsFrozenOnceAndReadBackAsItWas(@TempDir Path directory) throws IOException {
        SchemaFreeze.main(new String[] {"3.0.0", directory.toString()});

        assertThat(ReleasedSchemas.read(directory)).containsOnlyKeys("3.0.0");
        assertThat(ReleasedSchemas.read(directory).get("3.0.0")).isEqualTo(TopicSchemas.current());
        assertThatThrownBy(() -> SchemaFreeze.main(new String[] {"3.0.0", directory.toString()}))
                .hasMessageContaining("must never change");
        assertThatThrownBy(() -> SchemaFreeze.main(new String[] {"../3.0.0", directory.toString()}))
                .hasMessageContaining("major.minor.patch");
    }

    private static List<SchemaEvolution.Finding> compare(String older, String current) {
        return SchemaEvolution.compare("t", new Schema.Parser().parse(older), new Schema.Parser().parse(current));
    }

    private static SortedMap<String, Schema> changed(String topic, String from, String to) {
        var schemas = new TreeMap<>(TopicSchemas.current());
        String text = schemas.get(topic).toString();
        assertThat(text).contains(from);
        schemas.put(topic, new Schema.Parser().parse(text.replace(from, to)));
        return schemas;
    }
}
