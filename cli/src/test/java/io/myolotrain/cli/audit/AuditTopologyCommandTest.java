package io.myolotrain.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.cli.CommandFailure;
import io.myolotrain.cli.ExitCodes;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@DisplayName("G14 Whether an upgrade finds its state is told before it is started")
class AuditTopologyCommandTest {

    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();

    private int run(String... arguments) {
        return new CommandLine(new AuditTopologyCommand())
                .setOut(new PrintWriter(out, true))
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    out.append(failure.getMessage());
                    return ((CommandFailure) failure).exitCode();
                })
                .execute(arguments);
    }

    private int runFrom(String description) throws IOException {
        return run(
                "--from",
                Files.writeString(directory.resolve("old.txt"), description).toString());
    }

    private String printed() {
        assertThat(run()).isEqualTo(ExitCodes.OK);
        String printed = out.toString();
        out.getBuffer().setLength(0);
        return printed;
    }

    @Test
    void theReleaseThatPrintedItMayTakeOver() throws IOException {
        assertThat(runFrom(printed())).isEqualTo(ExitCodes.OK);
        assertThat(out.toString()).contains("it may take over");
    }

    @Test
    void aStoreThatIsNotThereAnyMoreIsRefusedByName() throws IOException {
        String before = printed().replace("[folds]", "[totals]");

        assertThat(runFrom(before)).isEqualTo(ExitCodes.REFUSED);
        assertThat(out.toString()).contains("store=totals", "application id of its own");
    }

    @Test
    void whatIsNoDescriptionIsNotTakenForOneWithoutStores() throws IOException {
        assertThat(runFrom("Topologies: none\n")).isEqualTo(ExitCodes.USAGE);
        assertThat(run("--from", directory.resolve("absent.txt").toString())).isEqualTo(ExitCodes.USAGE);
        assertThat(out.toString()).contains("must hold the description", "must be in a readable file");
    }
}
