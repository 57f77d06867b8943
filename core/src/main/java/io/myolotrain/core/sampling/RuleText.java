package io.myolotrain.core.sampling;

import io.myolotrain.core.model.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Rules as people write them: {@code gradient.*=step:20}, {@code comm=time:5s}, {@code train.loss=default}. */
public final class RuleText {
    /** The standard rules stand behind a job's own. */
    public static final int OWN_RULES_MAX =
            SamplingRules.RULES_MAX - SamplingRules.standard().rules().size();

    private static final String EXAMPLE = "for example gradient.*=step:20";

    private RuleText() {}

    /**
     * What became of some lines of text.
     *
     * @param rules those that are legal, in their order
     * @param refusals empty when all are
     */
    public record Parsed(SamplingRules rules, List<Refusal> refusals) {
        public Parsed {
            refusals = List.copyOf(refusals);
        }
    }

    public static Parsed parse(List<String> lines) {
        var rules = new ArrayList<SamplingRules.Rule>();
        var refusals = new ArrayList<Refusal>();
        if (lines.size() > OWN_RULES_MAX) {
            refusals.add(new Refusal(
                    "a job has at most " + OWN_RULES_MAX + " rules of its own",
                    "rules=" + lines.size(),
                    "join patterns with * or ?"));
            return new Parsed(new SamplingRules(List.of()), refusals);
        }
        for (String line : lines) {
            int equals = line.lastIndexOf('=');
            if (equals < 0) {
                refusals.add(new Refusal("a rule must be PATTERN=POLICY", line, EXAMPLE));
                continue;
            }
            Optional<MetricPattern> pattern = pattern(line.substring(0, equals), refusals);
            Optional<SamplingPolicy> policy = policy(line.substring(equals + 1), refusals);
            if (pattern.isPresent() && policy.isPresent()) {
                var rule = new SamplingRules.Rule(pattern.get(), policy.get());
                Optional<SamplingRules.Rule> earlier = rules.stream()
                        .filter(r -> takesAllOf(r.pattern(), rule.pattern()))
                        .findFirst();
                if (earlier.isPresent()) {
                    refusals.add(new Refusal(
                            "a rule must be reachable: the first that matches decides, and " + earlier.get()
                                    + " takes every name of this one",
                            rule.toString(),
                            "put it before " + earlier.get()));
                } else {
                    rules.add(rule);
                }
            }
        }
        return new Parsed(new SamplingRules(rules), refusals);
    }

    private static Optional<MetricPattern> pattern(String text, List<Refusal> refusals) {
        try {
            return Optional.of(new MetricPattern(text));
        } catch (IllegalArgumentException e) {
            refusals.add(new Refusal(
                    "a pattern must have 1 to " + MetricPattern.CHARS_MAX + " characters and no blanks",
                    "pattern=" + text,
                    "for example gradient, or train.*"));
            return Optional.empty();
        }
    }

    private static Optional<SamplingPolicy> policy(String text, List<Refusal> refusals) {
        String policy = text.toLowerCase(Locale.ROOT);
        if (policy.equals("default")) {
            return Optional.of(new SamplingPolicy.Default());
        }
        int colon = policy.indexOf(':');
        String kind = colon < 0 ? policy : policy.substring(0, colon);
        String amount = colon < 0 ? "" : policy.substring(colon + 1);
        if (kind.equals("step")) {
            return step(amount, refusals);
        }
        if (kind.equals("time")) {
            return time(amount, refusals);
        }
        refusals.add(new Refusal(
                "a policy must be step:STEPS, time:DURATION or default",
                "policy=" + text,
                "for example step:10, time:5s or default"));
        return Optional.empty();
    }

    private static Optional<SamplingPolicy> step(String amount, List<Refusal> refusals) {
        long steps = number(amount);
        if (steps < 1 || steps > SamplingPolicy.ByStep.EVERY_MAX) {
            refusals.add(new Refusal(
                    "steps must be an integer in [1, " + SamplingPolicy.ByStep.EVERY_MAX + "]",
                    "step:" + amount,
                    "for example step:10"));
            return Optional.empty();
        }
        return Optional.of(new SamplingPolicy.ByStep(steps));
    }

    private static Optional<SamplingPolicy> time(String amount, List<Refusal> refusals) {
        long millis = amount.endsWith("ms")
                ? number(amount.substring(0, amount.length() - 2))
                : amount.endsWith("s")
                        ? 1_000 * number(amount.substring(0, amount.length() - 1))
                        : amount.endsWith("m") ? 60_000 * number(amount.substring(0, amount.length() - 1)) : -1;
        if (millis < SamplingPolicy.ByTime.INTERVAL_MIN_MS || millis > SamplingPolicy.ByTime.INTERVAL_MAX_MS) {
            refusals.add(new Refusal(
                    "a duration must be from 100ms to 1440m, with its unit ms, s or m",
                    "time:" + amount,
                    "for example time:500ms or time:5s"));
            return Optional.empty();
        }
        return Optional.of(new SamplingPolicy.ByTime(millis));
    }

    /** -1 when it is none, or too long to be meant. */
    private static long number(String text) {
        return text.matches("[0-9]{1,9}") ? Long.parseLong(text) : -1;
    }

    /** Sure cases only: what it does not see costs a rule that is never reached, which a dry run shows. */
    private static boolean takesAllOf(MetricPattern earlier, MetricPattern later) {
        if (earlier.equals(later) || earlier.text().equals("*")) {
            return true;
        }
        boolean fragment = earlier.text().indexOf('*') < 0 && earlier.text().indexOf('?') < 0;
        return fragment && later.text().contains(earlier.text());
    }
}
