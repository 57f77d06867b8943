package io.myolotrain.cli.fleet;

import java.util.concurrent.TimeUnit;

/** A worker's stand-in: lives until told to end. {@code stubborn} lets it ignore SIGTERM. */
public final class SleepingChild {
    private static final long LIFE_MAX_S = 120; // should everything fail, it ends by itself

    private SleepingChild() {}

    public static void main(String[] args) throws InterruptedException {
        ParentLink.exitWithParent(System.in);
        if (args.length > 1 && args[1].equals("stubborn")) {
            Runtime.getRuntime().addShutdownHook(new Thread(SleepingChild::sleep));
        }
        System.out.println("ready " + args[0]);
        sleep();
    }

    private static void sleep() {
        try {
            TimeUnit.SECONDS.sleep(LIFE_MAX_S);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
