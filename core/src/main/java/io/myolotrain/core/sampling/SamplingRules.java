package io.myolotrain.core.sampling;

import java.util.List;
import java.util.Locale;

/** Names to policies: the first rule whose fragment is in the metric's name decides, else the fallback. */
public record SamplingRules(List<Rule> rules, SamplingPolicy otherwise) {

    /** @param fragment part of a metric's name, in lower case */
    public record Rule(String fragment, SamplingPolicy policy) {}

    public SamplingRules {
        rules = List.copyOf(rules);
    }

    /** Gradients by step, communication by time, the rest as reported with roll-ups over 10 and 100 steps. */
    public static SamplingRules standard() {
        return new SamplingRules(
                List.of(
                        new Rule("gradient", new SamplingPolicy.ByStep(List.of(10L, 100L))),
                        new Rule("comm", new SamplingPolicy.ByTime(List.of(1_000L, 10_000L)))),
                new SamplingPolicy.Default(List.of(10L, 100L)));
    }

    public SamplingPolicy policyFor(String metric) {
        String name = metric.toLowerCase(Locale.ROOT);
        return rules.stream()
                .filter(rule -> name.contains(rule.fragment()))
                .map(Rule::policy)
                .findFirst()
                .orElse(otherwise);
    }
}
