package io.myolotrain.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;

/** Commands as a person gives them, in the test's own process: a JVM for each would take longer than what it does. */
public final class TestCommands {
    private TestCommands() {}

    /** @return what was printed, for people and of errors alike */
    public static String run(int exitCode, String... arguments) {
        var printed = new StringWriter();
        var out = new PrintWriter(printed, true);
        int code = Main.commandLine().setOut(out).setErr(out).execute(arguments);
        assertThat(code).as("%s: %s", List.of(arguments), printed).isEqualTo(exitCode);
        return printed.toString();
    }

    public static String[] with(String[] arguments, String... more) {
        var all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }
}
