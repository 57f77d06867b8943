package io.myolotrain.cli.component;

import io.myolotrain.cli.client.Session;
import io.myolotrain.cli.option.PoolOptions;
import io.myolotrain.cli.output.Logging;
import io.myolotrain.coordinator.CoordinatorApp;
import io.myolotrain.coordinator.CoordinatorOptions;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "coordinator",
        description = "Runs a coordinator. Several share the pools of a cluster.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  myolotrain coordinator                                  beside a running 'myolotrain broker'",
            "  myolotrain coordinator --bootstrap kafka:9092 --registry http://registry:8081"
        })
public final class CoordinatorCommand implements Callable<Integer> {
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

    @Mixin
    private final PoolOptions pool = new PoolOptions();

    @Option(
            names = "--accept-history-gap",
            description = "Start although events were deleted before they were read; the gap is recorded.")
    private boolean acceptHistoryGap;

    @Override
    public Integer call() throws InterruptedException {
        Logging.verboseOnStderr();
        try (Lifetime lifetime = Lifetime.ofProcess(STOP_TIMEOUT);
                Session session = pool.open()) {
            var options = CoordinatorOptions.in(pool.state().streams().resolve("coordinator"))
                    .acceptingHistoryGap(acceptHistoryGap);
            lifetime.own("coordinator", CoordinatorApp.start(session.connection(), options));
            lifetime.awaitEnd();
        }
        return 0;
    }
}
