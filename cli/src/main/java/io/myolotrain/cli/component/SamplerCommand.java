package io.myolotrain.cli.component;

import io.myolotrain.cli.client.Session;
import io.myolotrain.cli.option.PoolOptions;
import io.myolotrain.cli.output.Logging;
import io.myolotrain.sampler.SamplerApp;
import io.myolotrain.sampler.SamplerOptions;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "sampler",
        description = "Runs a metrics sampler: readings of the workers in, series for charts out.",
        footerHeading = "%nExamples:%n",
        footer = "  myolotrain sampler --bootstrap kafka:9092 --registry http://registry:8081")
public final class SamplerCommand implements Callable<Integer> {
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

    @Mixin
    private final PoolOptions pool = new PoolOptions();

    @Override
    public Integer call() throws InterruptedException {
        Logging.verboseOnStderr();
        try (Lifetime lifetime = Lifetime.ofProcess(STOP_TIMEOUT);
                Session session = pool.open()) {
            var options = SamplerOptions.in(pool.state().streams().resolve("sampler"));
            lifetime.own("sampler", SamplerApp.start(session.connection(), options));
            lifetime.awaitEnd();
        }
        return 0;
    }
}
