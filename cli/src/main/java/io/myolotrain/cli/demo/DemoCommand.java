package io.myolotrain.cli.demo;

import io.myolotrain.cli.component.Lifetime;
import io.myolotrain.cli.option.StateOption;
import io.myolotrain.cli.output.Logging;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "demo",
        description =
                "Runs everything on this machine: broker, registry, coordinator, sampler, web UI and worker processes, "
                        + "and trains a small GPT. Ctrl-C stops it; the next demo goes on with the same job.",
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  myolotrain demo",
            "  myolotrain demo --workers 1 --pool-size 2 --port 9000",
            "  myolotrain demo --fresh --data ~/texts --steps 20000",
            "  myolotrain config set demo workers=4     in a second terminal"
        })
public final class DemoCommand implements Callable<Integer> {
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

    @Mixin
    private final DemoOptions options = new DemoOptions();

    @Mixin
    private final StateOption state = new StateOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        options.check();
        if (options.fresh) {
            FreshStart.forget(state);
        }
        Files.createDirectories(state.logs());
        Logging.toFile(state.logs().resolve("demo.log"));
        Terminal terminal = new Terminal(spec.commandLine().getOut(), Boolean.getBoolean("myolotrain.terminal"));
        try (Lifetime lifetime = Lifetime.ofProcess(STOP_TIMEOUT)) {
            var system = DemoSystem.start(lifetime, options, state, terminal);
            lifetime.own("farewell", () -> terminal.line("stopping; the next demo goes on from here"));
            return new DemoWatch(options, system.session(), terminal, lifetime).run();
        }
    }
}
