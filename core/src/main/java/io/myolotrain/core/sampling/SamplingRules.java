package io.myolotrain.core.sampling;

import java.util.ArrayList;
import java.util.List;

/** Names to policies: the first rule whose pattern matches decides; a name that no rule takes has the default policy. */
public record SamplingRules(List<Rule> rules) {
    /** A rule that is never reached costs time at each new name: a list that long is a mistake. */
    public static final int RULES_MAX = 64;

    private static final SamplingPolicy OTHERWISE = new SamplingPolicy.Default();
    private static final SamplingRules STANDARD = new SamplingRules(List.of(
            new Rule(new MetricPattern("gradient"), new SamplingPolicy.ByStep(10)),
            new Rule(new MetricPattern("comm"), new SamplingPolicy.ByTime(1_000))));

    public record Rule(MetricPattern pattern, SamplingPolicy policy) {
        @Override
        public String toString() {
            return pattern + "=" + policy.text();
        }
    }

    public SamplingRules {
        if (rules.size() > RULES_MAX) {
            throw new IllegalArgumentException("a job has at most " + RULES_MAX + " rules: rules=" + rules.size());
        }
        rules = List.copyOf(rules);
    }

    /** Names with {@code gradient} every 10th step, names with {@code comm} once a second. */
    public static SamplingRules standard() {
        return STANDARD;
    }

    /** These rules first, then the standard ones: a job's own rules need to say only what differs. */
    public SamplingRules beforeStandard() {
        var all = new ArrayList<>(rules);
        all.addAll(STANDARD.rules.subList(0, Math.min(STANDARD.rules.size(), RULES_MAX - rules.size())));
        return new SamplingRules(all);
    }

    /** Number of the rule that takes the name, from 0; -1 when none does. */
    public int ruleFor(String metric) {
        for (int i = 0; i < rules.size(); i++) {
            if (rules.get(i).pattern().matches(metric)) {
                return i;
            }
        }
        return -1;
    }

    public SamplingPolicy policyFor(String metric) {
        int rule = ruleFor(metric);
        return rule < 0 ? OTHERWISE : rules.get(rule).policy();
    }
}
