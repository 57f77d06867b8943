package io.myolotrain.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class CommandLineTest {
    private static final String NOBODY = "127.0.0.1:1"; // a port that nobody listens on

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }

    static Stream<CommandLine> ownCommands() {
        var commands = new ArrayList<CommandLine>();
        collect(Main.commandLine(), commands);
        return commands.stream();
    }

    private static void collect(CommandLine command, List<CommandLine> into) {
        command.getSubcommands().forEach((name, sub) -> {
            if (!name.equals("help") && !name.equals("generate-completion")) {
                into.add(sub);
                collect(sub, into);
            }
        });
    }

    @ParameterizedTest
    @MethodSource("ownCommands")
    void everyCommandsHelpShowsExamples(CommandLine command) {
        assertThat(command.getUsageMessage())
                .as(command.getCommandSpec().qualifiedName())
                .contains("Examples:", "  " + command.getCommandSpec().root().name() + " ");
        assertThat(command.getCommandSpec().usageMessage().description()).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("ownCommands")
    void everyExampleIsALegalCommandLine(CommandLine command) {
        for (String line : exampleLines(command)) {
            String[] args = line.strip().split("\\s+");
            assertThatCode(() -> Main.commandLine().parseArgs(Arrays.copyOfRange(args, 1, args.length)))
                    .as(line)
                    .doesNotThrowAnyException();
        }
    }

    /** Without what the shell would take: continued lines joined, pipes, redirections and remarks cut off. */
    private static List<String> exampleLines(CommandLine command) {
        String all = String.join("\n", command.getCommandSpec().usageMessage().footer())
                .replaceAll("\\\\\\s*\n", " ");
        return all.lines()
                .filter(line -> line.strip().startsWith("myolotrain "))
                .map(line -> line.replaceAll("[|>].*", "").replaceAll("(?<=\\S)\\s{3,}.*", ""))
                .toList();
    }

    @Test
    void aWrongCommandLineEndsWith2AndSaysWhereToLook() {
        assertThat(run("job", "lits")).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("lits", "list", "--help").doesNotContain("\tat ");
    }

    @Test
    void aMissingArgumentEndsWith2() {
        assertThat(run("config", "set", "demo")).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("KEY=VALUE");
    }

    @Test
    void aChangeWithoutValueEndsWith2AndAnExample() {
        assertThat(run("config", "set", "demo", "workers", "--bootstrap", NOBODY, "--registry", "http://" + NOBODY))
                .isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("KEY=VALUE: workers", "workers=4");
    }

    @Test
    void anIllegalJobNameEndsWith2() {
        assertThat(run("job", "show", "No/Such", "--bootstrap", NOBODY, "--registry", "http://" + NOBODY))
                .isNotEqualTo(ExitCodes.OK);
        assertThat(err.toString()).doesNotContain("\tat ");
    }

    @Test
    void anUnreachableBrokerEndsWith4AndTheNextStep() {
        assertThat(run("job", "list", "--bootstrap", NOBODY, "--registry", "http://" + NOBODY))
                .isEqualTo(ExitCodes.UNREACHABLE);
        assertThat(err.toString()).contains(NOBODY, "myolotrain demo").doesNotContain("\tat ");
    }

    @Test
    void verboseShowsWhereAFailureComesFrom() {
        assertThat(run("job", "list", "--verbose", "--bootstrap", NOBODY, "--registry", "http://" + NOBODY))
                .isEqualTo(ExitCodes.UNREACHABLE);
        assertThat(err.toString()).contains("\tat io.myolotrain.cli");
    }

    @Test
    void withoutARunningDemoACommandSaysHowToStartOne(@TempDir Path state) {
        assertThat(run("pool", "show", "--state", state.toString())).isEqualTo(ExitCodes.UNREACHABLE);
        assertThat(err.toString()).contains("no running demo", "myolotrain demo", "--bootstrap");
    }

    @Test
    void theWebUiRefusesToListenBeyondLoopbackWithoutAToken() {
        assertThat(run("ui", "--host", "0.0.0.0", "--bootstrap", NOBODY, "--registry", "http://" + NOBODY))
                .isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("--host=0.0.0.0", "--token-file").doesNotContain("\tat ");
    }

    @Test
    void anUnknownTopicIsAnsweredWithThoseThatThereAre() {
        assertThat(run("log", "tail", "--topic", "journl")).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("journl", "journal", "decisions");
    }

    @Test
    void anUnknownBenchmarkIsAnsweredWithThoseThatThereAre() {
        assertThat(run("bench", "speed")).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("speed", "planner");
    }

    @Test
    void aSamplingRuleIsTriedWithoutABroker() {
        assertThat(run("sampling", "try", "demo", "--rule", "gradient.*=step:20", "gradient.norm.head", "train.loss"))
                .isZero();
        assertThat(out.toString())
                .containsPattern("gradient.norm.head +1 +gradient\\.\\* +step:20 +job")
                .containsPattern("train.loss +- +\\(others\\) +default +standard");
    }

    @Test
    void anIllegalSamplingRuleEndsWith3AndSaysRuleValueAndNextStep() {
        assertThat(run("sampling", "set", "demo", "gradient=step:0")).isEqualTo(ExitCodes.REFUSED);
        assertThat(err.toString()).contains("[1, 1000000]", "step:0", "for example step:10");
        assertThat(run("sampling", "set", "demo")).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("--reset");
    }

    @Test
    void theDemoRefusesMoreWorkersThanItsPoolHas(@TempDir Path state) {
        assertThat(run("demo", "--workers", "5", "--pool-size", "4", "--state", state.toString()))
                .isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("workers=5 pool-size=4");
        assertThat(state).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1001"})
    void chaosRefusesADelayBeyondItsRange(String millis, @TempDir Path state) {
        assertThat(run("chaos", "--faults", "delay", "--delay-ms", millis, "--state", state.toString()))
                .isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("--delay-ms", "[1, 1000]", millis, "--delay-ms 200");
    }

    @Test
    void anUnknownFaultIsAnsweredWithThoseThatThereAre(@TempDir Path state) {
        assertThat(run("chaos", "--faults", "kill,slow", "--state", state.toString()))
                .isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("slow", "kill, hang, remove, loss and delay");
    }

    @Test
    void theHelpDocumentsTheExitCodes() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("Exit codes:", "refused", "not reachable");
    }

    @Test
    void shellCompletionKnowsTheCommands() {
        assertThat(run("generate-completion")).isZero();
        assertThat(out.toString()).contains("complete -F", "demo", "config", "--bootstrap");
    }

    @Test
    void theKeysOfAChangeAreListed() {
        assertThat(run("config", "keys")).isZero();
        assertThat(out.toString()).contains("workers", "batch", "lr", "an integer in");
    }
}
