package io.myolotrain.cli.chaos;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Delays what passes to and from the port until it is told to end. */
public final class DelayingProcess {
    private static final long LIFE_MAX_S = 120; // should everything fail, it ends by itself

    private DelayingProcess() {}

    public static void main(String[] args) throws Exception {
        try (PacketDelay delay = PacketDelay.onLoopback(Integer.parseInt(args[0]), Duration.ofMillis(20))) {
            System.out.println("delaying");
            TimeUnit.SECONDS.sleep(LIFE_MAX_S);
        }
    }
}
