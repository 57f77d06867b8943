package io.myolotrain.cli.embedded.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.cli.embedded.registry.CompatibilityRules.Earlier;
import java.util.List;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompatibilityRulesTest {
    private static final Schema BASE = record("{\"name\":\"a\",\"type\":\"long\"}");
    private static final Schema WITH_REQUIRED =
            record("{\"name\":\"a\",\"type\":\"long\"},{\"name\":\"b\",\"type\":\"string\"}");
    private static final Schema WITH_DEFAULT =
            record("{\"name\":\"a\",\"type\":\"long\"},{\"name\":\"b\",\"type\":\"string\",\"default\":\"\"}");
    private static final Schema OTHER_TYPE = record("{\"name\":\"a\",\"type\":\"string\"}");

    private static Schema record(String fields) {
        return new Schema.Parser().parse("{\"type\":\"record\",\"name\":\"R\",\"fields\":[" + fields + "]}");
    }

    @ParameterizedTest
    @CsvSource({
        "NONE, true",
        "BACKWARD, false",
        "BACKWARD_TRANSITIVE, false",
        "FORWARD, true",
        "FORWARD_TRANSITIVE, true",
        "FULL, false",
        "FULL_TRANSITIVE, false"
    })
    void aNewRequiredFieldCannotBeReadFromOldData(CompatibilityLevel level, boolean compatible) {
        assertThat(CompatibilityRules.violations(level, WITH_REQUIRED, List.of(new Earlier(1, BASE)))
                        .isEmpty())
                .isEqualTo(compatible);
    }

    @ParameterizedTest
    @CsvSource({"BACKWARD, true", "FORWARD, false", "FULL, false"})
    void aRemovedRequiredFieldLeavesOldReadersWithoutIt(CompatibilityLevel level, boolean compatible) {
        assertThat(CompatibilityRules.violations(level, BASE, List.of(new Earlier(1, WITH_REQUIRED)))
                        .isEmpty())
                .isEqualTo(compatible);
    }

    @ParameterizedTest
    @CsvSource({"BACKWARD", "FORWARD", "FULL", "FULL_TRANSITIVE"})
    void aNewFieldWithDefaultIsCompatibleBothWays(CompatibilityLevel level) {
        assertThat(CompatibilityRules.violations(level, WITH_DEFAULT, List.of(new Earlier(1, BASE))))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "BACKWARD, true",
        "BACKWARD_TRANSITIVE, false",
        "FORWARD, true",
        "FORWARD_TRANSITIVE, false",
        "FULL, true",
        "FULL_TRANSITIVE, false"
    })
    void onlyTransitiveLevelsLookBeyondTheLatestVersion(CompatibilityLevel level, boolean compatible) {
        var earlier = List.of(new Earlier(1, OTHER_TYPE), new Earlier(2, BASE));
        assertThat(CompatibilityRules.violations(level, BASE, earlier).isEmpty())
                .isEqualTo(compatible);
    }

    @Test
    void aViolationNamesVersionKindAndField() {
        assertThat(CompatibilityRules.violations(
                        CompatibilityLevel.BACKWARD, WITH_REQUIRED, List.of(new Earlier(7, BASE))))
                .singleElement()
                .asString()
                .contains("version 7", "READER_FIELD_MISSING_DEFAULT_VALUE", "b");
    }

    @Test
    void theFirstVersionIsAlwaysCompatible() {
        assertThat(CompatibilityRules.violations(CompatibilityLevel.FULL_TRANSITIVE, BASE, List.of()))
                .isEmpty();
    }
}
