package io.myolotrain.core.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.model.Refusal;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class RuleTextTest {
    private static Refusal refusal(String... lines) {
        RuleText.Parsed parsed = RuleText.parse(List.of(lines));
        assertThat(parsed.refusals()).hasSize(1);
        return parsed.refusals().get(0);
    }

    @Test
    void rules_are_read_as_written_and_written_as_read() {
        var parsed = RuleText.parse(
                List.of("gradient.*=step:20", "Comm=TIME:5s", "a=time:250ms", "b=time:2m", "x=y=default"));

        assertThat(parsed.refusals()).isEmpty();
        assertThat(parsed.rules().rules())
                .extracting(SamplingRules.Rule::toString)
                .containsExactly(
                        "gradient.*=step:20", "comm=time:5000ms", "a=time:250ms", "b=time:120000ms", "x=y=default");
    }

    @Test
    void a_refusal_says_rule_value_and_next_step() {
        assertThat(refusal("gradient"))
                .isEqualTo(new Refusal("a rule must be PATTERN=POLICY", "gradient", "for example gradient.*=step:20"));
        assertThat(refusal("a=step:0").value()).isEqualTo("step:0");
        assertThat(refusal("a=step:1000001").rule()).contains("[1, 1000000]");
        assertThat(refusal("a=time:5").rule()).contains("with its unit");
        assertThat(refusal("a=time:99ms").value()).isEqualTo("time:99ms");
        assertThat(refusal("a=time:99999999999999s").value()).isEqualTo("time:99999999999999s");
        assertThat(refusal("a=random").nextStep()).contains("step:10");
        assertThat(refusal("a b=default").value()).isEqualTo("pattern=a b");
        assertThat(refusal("=default").rule()).contains("1 to 200 characters");
    }

    @Test
    void a_rule_that_an_earlier_one_leaves_nothing_is_refused() {
        assertThat(refusal("grad=step:10", "gradient.norm=step:1").rule()).contains("grad=step:10 takes every name");
        assertThat(refusal("*=default", "a=step:1").nextStep()).isEqualTo("put it before *=default");
        assertThat(refusal("a=step:1", "A=step:2").value()).isEqualTo("a=step:2");
        assertThat(RuleText.parse(List.of("gradient.norm=step:1", "grad=step:10"))
                        .refusals())
                .isEmpty();
    }

    @Test
    void all_refusals_come_at_once_and_a_list_without_end_is_one() {
        assertThat(RuleText.parse(List.of("a=step:x", "b", "c=default")).refusals())
                .hasSize(2);
        assertThat(RuleText.parse(Collections.nCopies(100, "a=step:1")).refusals())
                .singleElement()
                .satisfies(refusal -> assertThat(refusal.value()).isEqualTo("rules=100"));
    }
}
