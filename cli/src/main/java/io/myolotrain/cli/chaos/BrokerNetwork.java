package io.myolotrain.cli.chaos;

import io.myolotrain.cli.CommandFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * The network between a broker on this machine and everybody who talks to it.
 *
 * @param port of the broker
 * @param loss share of the packets that a loss drops, each way
 * @param delay how late a delay makes them, each way
 */
record BrokerNetwork(int port, double loss, Duration delay) {

    /** Tells a person what this machine lacks for a fault of the network, if anything. */
    static void requirePossible(Fault.Kind kind) throws InterruptedException {
        switch (kind) {
            case LOSS ->
                require(
                        PacketLoss.obstacle(),
                        "packets cannot be dropped here (--faults loss): ",
                        "root and iptables-legacy");
            case DELAY ->
                require(
                        PacketDelay.obstacle(),
                        "packets cannot be delayed here (--faults delay): ",
                        "root, iptables-legacy and a kernel with its nat table");
            case KILL, HANG, REMOVE -> {}
        }
    }

    private static void require(Optional<String> obstacle, String what, String needs) {
        if (obstacle.isPresent()) {
            throw CommandFailure.error(
                    what + obstacle.get(),
                    "It takes " + needs
                            + ": run it as root, after 'apt-get install iptables'; or leave it out of --faults.");
        }
    }

    String detail(Fault.Kind kind) {
        return switch (kind) {
            case LOSS -> Math.round(loss * 100) + " % of the packets to and from port " + port;
            case DELAY -> delay.toMillis() + " ms each way to and from port " + port;
            case KILL, HANG, REMOVE -> throw noFaultOfTheNetwork(kind);
        };
    }

    FaultInjector.Mendable worsen(Fault.Kind kind) throws IOException, InterruptedException {
        return switch (kind) {
            case LOSS -> PacketLoss.onLoopback(port, loss)::close;
            case DELAY -> PacketDelay.onLoopback(port, delay)::close;
            case KILL, HANG, REMOVE -> throw noFaultOfTheNetwork(kind);
        };
    }

    private static IllegalArgumentException noFaultOfTheNetwork(Fault.Kind kind) {
        return new IllegalArgumentException("must be a fault of the network: kind=" + kind);
    }
}
