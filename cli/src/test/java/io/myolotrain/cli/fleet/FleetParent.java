package io.myolotrain.cli.fleet;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A demo's stand-in: starts one child, tells its process id and waits to be killed. */
public final class FleetParent {
    private FleetParent() {}

    public static void main(String[] args) throws Exception {
        var jvm = new ChildJvm(List.of("-Xmx32m"), Map.of(), SleepingChild.class.getName());
        var fleet =
                new WorkerFleet(jvm, List::of, new WorkerFleet.Options(Path.of(args[0]), Duration.ofSeconds(5), false));
        fleet.start("worker-0");
        System.out.println("child " + fleet.handles().get(0).pid());
        TimeUnit.SECONDS.sleep(120);
    }
}
