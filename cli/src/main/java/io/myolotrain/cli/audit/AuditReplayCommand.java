package io.myolotrain.cli.audit;

import io.myolotrain.cli.ExitCodes;
import io.myolotrain.cli.client.Session;
import io.myolotrain.cli.option.PoolOptions;
import io.myolotrain.cli.output.JsonOutput;
import io.myolotrain.core.audit.ReplayAudit;
import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.Coordinator;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.JournalEntry;
import io.myolotrain.topics.JournalLine;
import io.myolotrain.topics.TopicListener.Received;
import io.myolotrain.topics.Topics;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.concurrent.Callable;
import java.util.function.Function;
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

    @Override
    public Integer call() {
        try (Session session = pool.open()) {
            ReplayAudit.Report report = replay(session);
            var out = spec.commandLine().getOut();
            out.print(json ? json(report) : text(report));
            out.flush();
            return report.divergence().isEmpty() ? ExitCodes.OK : ExitCodes.REFUSED;
        }
    }

    private static ReplayAudit.Report replay(Session session) {
        // Each decision has its entry in the journal, so the decisions alone say where the comparison ends.
        try (OrderedPull<JournalLine> journal = new OrderedPull<>(session, Topics.JOURNAL, OrderedPull.End.NEVER);
                OrderedPull<Decision> decisions =
                        new OrderedPull<>(session, Topics.DECISIONS, OrderedPull.End.OF_KEPT_RECORDS)) {
            Iterable<JournalEntry> entries =
                    () -> mapped(journal.iterator(), line -> line.value().at(line.offset()));
            Iterable<Decision> recorded = () -> mapped(decisions.iterator(), Received::value);
            return new ReplayAudit(new Coordinator()::process)
                    .compare(ClusterState.empty(session.pool()), entries, recorded);
        }
    }

    private static <A, B> Iterator<B> mapped(Iterator<A> from, Function<A, B> how) {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return from.hasNext();
            }

            @Override
            public B next() {
                return how.apply(from.next());
            }
        };
    }

    private static String json(ReplayAudit.Report report) {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("same", report.divergence().isEmpty());
        fields.put("compared", report.compared());
        report.divergence().ifPresent(divergence -> {
            fields.put("offset", divergence.offset());
            fields.put("event", divergence.eventId());
            fields.put("differences", divergence.differences());
        });
        return JsonOutput.line(fields) + System.lineSeparator();
    }

    private static String text(ReplayAudit.Report report) {
        if (report.divergence().isEmpty()) {
            return "same: " + report.compared() + " decisions" + System.lineSeparator();
        }
        ReplayAudit.Divergence divergence = report.divergence().get();
        return "different at journal offset " + divergence.offset() + " (event " + divergence.eventId() + ")"
                + System.lineSeparator() + String.join(System.lineSeparator(), divergence.differences())
                + System.lineSeparator();
    }
}
