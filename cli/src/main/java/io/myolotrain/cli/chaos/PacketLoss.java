package io.myolotrain.cli.chaos;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Drops packets at random, in both directions, by the kernel's own filter; until closed, or until this process ends in
 * any way that runs its shutdown hooks. Needs root.
 */
public final class PacketLoss implements AutoCloseable {
    private final NetworkChanges changes;

    private PacketLoss(NetworkChanges changes) {
        this.changes = changes;
    }

    /** What this machine lacks for it, for people; empty when it can. Found out by trying. */
    public static Optional<String> obstacle() throws InterruptedException {
        return NetworkChanges.obstacle(
                () -> onLoopback(NetworkChanges.UNUSED_PORT, 0.5).close());
    }

    /** @param share of the packets to and from this TCP port, in (0, 1] */
    public static PacketLoss onLoopback(int port, double share) throws IOException, InterruptedException {
        String number = Integer.toString(port);
        return drop(
                share,
                List.of("INPUT", "-i", "lo", "-p", "tcp", "--dport", number),
                List.of("INPUT", "-i", "lo", "-p", "tcp", "--sport", number));
    }

    /** @param share of what this machine forwards between two devices, in (0, 1] */
    public static PacketLoss between(String device, String other, double share)
            throws IOException, InterruptedException {
        return drop(
                share, List.of("FORWARD", "-i", device, "-o", other), List.of("FORWARD", "-i", other, "-o", device));
    }

    @SafeVarargs
    private static PacketLoss drop(double share, List<String>... directions) throws IOException, InterruptedException {
        List<String> drop = List.of(
                "-m",
                "statistic",
                "--mode",
                "random",
                "--probability",
                String.format(Locale.ROOT, "%.2f", share),
                "-j",
                "DROP");
        return new PacketLoss(NetworkChanges.make(changes -> {
            for (List<String> direction : directions) {
                changes.insertRule(
                        "filter",
                        Stream.concat(direction.stream(), drop.stream()).toList());
            }
        }));
    }

    @Override
    public void close() throws IOException, InterruptedException {
        changes.close();
    }
}
