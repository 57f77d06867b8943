package io.myolotrain.cli.audit;

import io.myolotrain.cli.ExitCodes;
import io.myolotrain.cli.client.FactText;
import io.myolotrain.cli.client.Session;
import io.myolotrain.cli.option.PoolOptions;
import io.myolotrain.cli.output.JsonOutput;
import io.myolotrain.cli.output.PlainValues;
import io.myolotrain.core.audit.ReplayAudit;
import io.myolotrain.core.audit.ReplayAudit.Difference;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.topics.JournalLine;
import io.myolotrain.topics.TopicListener.Received;
import io.myolotrain.topics.Topics;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "replay",
        description =
                "Folds the pool's journal again with this release and compares each decision with the recorded one.",
        footerHeading = "%nExamples:%n",
        footer = {"  myolotrain audit replay", "  myolotrain audit replay --json | jq .same"})
final class AuditReplayCommand implements Callable<Integer> {
    @Mixin
    private final PoolOptions pool = new PoolOptions();

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /** @param undecided entries at the journal's end that have no decision yet */
    private record Result(long compared, long undecided, Optional<Difference> difference) {}

    @Override
    public Integer call() throws InterruptedException {
        try (Session session = pool.open()) {
            Result result = replay(session);
            var out = spec.commandLine().getOut();
            out.print(json ? json(result) : text(result));
            out.flush();
            return result.difference.isEmpty() ? ExitCodes.OK : ExitCodes.REFUSED;
        }
    }

    private static Result replay(Session session) throws InterruptedException {
        // The journal's end is taken first: whatever is decided meanwhile lies beyond it.
        try (OrderedPull<JournalLine> journal = new OrderedPull<>(session, Topics.JOURNAL);
                OrderedPull<Decision> decisions = new OrderedPull<>(session, Topics.DECISIONS)) {
            ReplayAudit audit = new ReplayAudit(session.pool());
            Optional<Received<Decision>> decision = decisions.next();
            for (Optional<Received<JournalLine>> line = journal.next(); line.isPresent(); line = journal.next()) {
                if (decision.isEmpty()) {
                    return new Result(audit.compared(), 1 + rest(journal), Optional.empty());
                }
                var entry = line.get().value().at(line.get().offset());
                Optional<Difference> difference =
                        audit.check(entry, decision.get().value());
                if (difference.isPresent()) {
                    return new Result(audit.compared(), 0, difference);
                }
                decision = decisions.next();
            }
            return new Result(audit.compared(), 0, Optional.empty());
        }
    }

    private static long rest(OrderedPull<JournalLine> journal) throws InterruptedException {
        long count = 0;
        while (journal.next().isPresent()) {
            count++;
        }
        return count;
    }

    private static String json(Result result) {
        var fields = new LinkedHashMap<String, @Nullable Object>();
        fields.put("same", result.difference.isEmpty());
        fields.put("compared", result.compared);
        fields.put("undecided", result.undecided);
        result.difference.ifPresent(difference -> {
            fields.put("offset", difference.entry().offset());
            fields.put("what", difference.what());
            fields.put("event", PlainValues.of(difference.entry().event()));
            fields.put("recorded", PlainValues.of(difference.recorded()));
            fields.put("replayed", PlainValues.of(difference.replayed()));
        });
        return JsonOutput.line(fields) + System.lineSeparator();
    }

    private static String text(Result result) {
        if (result.difference.isEmpty()) {
            return "same: " + result.compared + " decisions, byte by byte"
                    + (result.undecided == 0 ? "" : "; " + result.undecided + " entries are not decided yet")
                    + System.lineSeparator();
        }
        Difference difference = result.difference.get();
        return "different at journal offset " + difference.entry().offset() + ": " + difference.what()
                + System.lineSeparator() + "event      " + difference.entry().event()
                + System.lineSeparator() + facts("recorded   ", difference.recorded())
                + facts("replayed   ", difference.replayed());
    }

    private static String facts(String label, Decision decision) {
        StringBuilder text = new StringBuilder();
        decision.facts()
                .forEach(fact -> text.append(label).append(FactText.of(fact)).append(System.lineSeparator()));
        return text.isEmpty() ? label + "nothing to do" + System.lineSeparator() : text.toString();
    }
}
