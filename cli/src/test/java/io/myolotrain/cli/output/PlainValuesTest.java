package io.myolotrain.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.Refusal;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlainValuesTest {
    @Test
    void aFactTellsItsTypeAndItsIdsAreValues() {
        var fact = new Fact.PlanActivated(new JobId("demo"), new Generation(3), 12, 900, 0);
        assertThat(JsonOutput.line(PlainValues.of(fact)))
                .isEqualTo("{\"type\":\"PlanActivated\",\"job\":\"demo\",\"generation\":3,\"firstStep\":12,"
                        + "\"stallMicros\":900,\"movedBytes\":0}");
    }

    @Test
    void notANumberIsTextBecauseJsonHasNoneOfIt() {
        assertThat(JsonOutput.line(List.of(PlainValues.of(Double.NaN), PlainValues.of(1.5))))
                .isEqualTo("[\"NaN\",1.5]");
    }

    @Test
    void listsOfRecordsAreListsOfObjects() {
        var refused = new Fact.Refused("demo", List.of(new Refusal("rule", "value", "next")));
        assertThat(JsonOutput.line(PlainValues.of(refused)))
                .contains("\"refusals\":[{\"rule\":\"rule\",\"value\":\"value\",\"nextStep\":\"next\"}]");
    }
}
