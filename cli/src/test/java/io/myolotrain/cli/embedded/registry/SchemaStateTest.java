package io.myolotrain.cli.embedded.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

class SchemaStateTest {
    private final SchemaState state = new SchemaState();

    private void register(String subject, int version, int id, String schema) {
        state.apply(RegistryRecord.schema(new SchemaVersion(subject, version, id, schema, false)));
    }

    @Test
    void keysAreWrittenInConfluentsFieldOrder() {
        assertThat(RegistryRecord.schema(new SchemaVersion("s", 1, 1, "\"int\"", false))
                        .key()
                        .encode())
                .isEqualTo("{\"keytype\":\"SCHEMA\",\"subject\":\"s\",\"version\":1,\"magic\":1}");
        assertThat(RegistryRecord.config("s", CompatibilityLevel.FULL).key().encode())
                .isEqualTo("{\"keytype\":\"CONFIG\",\"subject\":\"s\",\"magic\":0}");
        assertThat(RegistryRecord.config(null, CompatibilityLevel.FULL).key().encode())
                .isEqualTo("{\"keytype\":\"CONFIG\",\"magic\":0}");
        assertThat(RegistryRecord.noop().key().encode()).isEqualTo("{\"keytype\":\"NOOP\",\"magic\":0}");
    }

    @Test
    void anIdIsNeverUsedAgainEvenAfterItsSchemaIsGone() {
        register("s", 1, 1, "\"int\"");
        register("s", 2, 2, "\"long\"");
        state.apply(RegistryRecord.schemaTombstone("s", 2));
        assertThat(state.idFor("\"string\"")).isEqualTo(3);
        assertThat(state.idFor("\"long\"")).isEqualTo(2);
    }

    @Test
    void deletingASubjectHidesItsVersionsButKeepsTheirSchemas() {
        register("s", 1, 1, "\"int\"");
        state.apply(RegistryRecord.subjectDeleted("s", 1));
        assertThat(state.subjects(false)).isEmpty();
        assertThat(state.subjects(true)).containsExactly("s");
        assertThat(state.schema(1)).contains("\"int\"");
        assertThat(state.nextVersion("s")).isEqualTo(2);
    }

    @Test
    void versionsRegisteredAfterASubjectsDeletionAreLive() {
        register("s", 1, 1, "\"int\"");
        state.apply(RegistryRecord.subjectDeleted("s", 1));
        register("s", 2, 1, "\"int\"");
        assertThat(state.versions("s", false))
                .extracting(SchemaVersion::version)
                .containsExactly(2);
    }

    @Test
    void recordsOfOtherRegistryFeaturesAreLeftAside() {
        var context =
                new RegistryRecord(new JsonObject().put("keytype", "CONTEXT").put("magic", 0), new JsonObject());
        assertThat(state.apply(context)).isFalse();
    }

    @Test
    void aSubjectWithoutOwnLevelFollowsTheGlobalOne() {
        assertThat(state.level("s")).isEqualTo(CompatibilityLevel.BACKWARD);
        state.apply(RegistryRecord.config(null, CompatibilityLevel.FULL));
        assertThat(state.level("s")).isEqualTo(CompatibilityLevel.FULL);
        state.apply(RegistryRecord.config("s", CompatibilityLevel.NONE));
        assertThat(state.level("s")).isEqualTo(CompatibilityLevel.NONE);
        state.apply(RegistryRecord.config("s", null));
        assertThat(state.level("s")).isEqualTo(CompatibilityLevel.FULL);
    }
}
