package io.myolotrain.cli.sampling;

import static java.util.Objects.requireNonNull;

import io.myolotrain.cli.CommandFailure;
import io.myolotrain.cli.ExitCodes;
import io.myolotrain.cli.client.Session;
import io.myolotrain.cli.output.Table;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.Refusal;
import io.myolotrain.core.sampling.RuleText;
import io.myolotrain.core.sampling.SamplingRequest;
import io.myolotrain.core.sampling.SamplingRules;
import io.myolotrain.topics.ReadFrom;
import io.myolotrain.topics.SamplingEvent;
import io.myolotrain.topics.TopicReader;
import io.myolotrain.topics.Topics;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/** The rules of one job: its own, as last asked for, before the standard ones. */
record JobRules(SamplingRules own, String requestedBy) {
    private static final long READ_TIMEOUT_S = 30;

    static JobRules standard() {
        return new JobRules(new SamplingRules(List.of()), "");
    }

    /** As the log tells them now. */
    static JobRules read(Session session, JobId job) throws InterruptedException {
        var latest = new AtomicReference<JobRules>(standard());
        try (TopicReader<SamplingEvent> reader = TopicReader.open(
                session.connection(), session.codecs(), Topics.SAMPLING_CHANGES, ReadFrom.beginning(), record -> {
                    if (record.value().header().pool().equals(session.pool())
                            && record.value().request() instanceof SamplingRequest.PolicyChange change
                            && change.job().equals(job)) {
                        latest.set(new JobRules(change.rules(), change.requestedBy()));
                    }
                })) {
            reader.caughtUp().get(READ_TIMEOUT_S, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw CommandFailure.unreachable(
                    "topic " + Topics.SAMPLING_CHANGES + " could not be read: " + e.getMessage(),
                    "Check that the broker runs and that its topics exist ('myolotrain demo' creates them).",
                    e);
        }
        return requireNonNull(latest.get());
    }

    /** Rules as typed, or empty when some are illegal; each is told with what to do instead. */
    static Optional<SamplingRules> parse(List<String> lines, PrintWriter err) {
        RuleText.Parsed parsed = RuleText.parse(lines);
        for (Refusal refusal : parsed.refusals()) {
            err.println("refused    " + refusal.rule() + ": " + refusal.value());
            err.println("           " + refusal.nextStep());
        }
        err.flush();
        return parsed.refusals().isEmpty() ? Optional.of(parsed.rules()) : Optional.empty();
    }

    static int refused() {
        return ExitCodes.REFUSED;
    }

    SamplingRules inForce() {
        return own.beforeStandard();
    }

    private boolean isOwn(int rule) {
        return rule < own.rules().size();
    }

    String from(int rule) {
        return isOwn(rule) ? "job" + (requestedBy.isEmpty() ? "" : ", asked by " + requestedBy) : "standard";
    }

    Table table() {
        Table table = new Table("RULE", "PATTERN", "POLICY", "FROM");
        List<SamplingRules.Rule> rules = inForce().rules();
        for (int i = 0; i < rules.size(); i++) {
            table.row(i + 1, rules.get(i).pattern(), rules.get(i).policy().text(), from(i));
        }
        table.row("-", "(others)", inForce().policyFor("").text(), "standard");
        return table;
    }

    /** Which rule takes which name. */
    Table table(List<String> names) {
        SamplingRules rules = inForce();
        Table table = new Table("METRIC", "RULE", "PATTERN", "POLICY", "FROM");
        for (String name : names) {
            int rule = rules.ruleFor(name);
            table.row(
                    name,
                    rule < 0 ? "-" : rule + 1,
                    rule < 0 ? "(others)" : rules.rules().get(rule).pattern(),
                    rules.policyFor(name).text(),
                    rule < 0 ? "standard" : from(rule));
        }
        return table;
    }
}
