package io.myolotrain.cli.audit;

import io.myolotrain.cli.CommandFailure;
import io.myolotrain.cli.ExitCodes;
import io.myolotrain.coordinator.TopologyUpgrade;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "topology",
        description =
                "Prints the topology of this release's coordinator; with --from, says whether this release finds the state that"
                        + " another one keeps in Kafka, before it is started.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  myolotrain audit topology > old-topology.txt          with the release that runs",
            "  myolotrain audit topology --from old-topology.txt     with the one that is to take over",
            "",
            "Exit code 3 when the upgrade would lose state."
        })
final class AuditTopologyCommand implements Callable<Integer> {
    private static final long DESCRIPTION_BYTES_MAX = 1 << 20;

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description = "What this command printed with the release that runs.")
    private @Nullable Path from;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        var out = spec.commandLine().getOut();
        String now = TopologyUpgrade.thisRelease();
        if (from == null) {
            out.print(now);
            out.flush();
            return ExitCodes.OK;
        }
        List<String> problems = TopologyUpgrade.problems(description(from), now);
        if (problems.isEmpty()) {
            out.println("this release finds the state of that one: it may take over, one instance after the other");
        } else {
            problems.forEach(out::println);
        }
        out.flush();
        return problems.isEmpty() ? ExitCodes.OK : ExitCodes.REFUSED;
    }

    private static String description(Path file) throws IOException {
        if (!Files.isRegularFile(file) || Files.size(file) > DESCRIPTION_BYTES_MAX) {
            throw CommandFailure.usage(
                    "a topology must be in a readable file of at most 1 MiB: from=" + file,
                    "Run myolotrain audit topology > FILE with the release that runs.");
        }
        String text = Files.readString(file, StandardCharsets.UTF_8);
        if (!TopologyUpgrade.describes(text)) {
            throw CommandFailure.usage(
                    "the file must hold the description of a topology: from=" + file,
                    "Run myolotrain audit topology > FILE with the release that runs.");
        }
        return text;
    }
}
