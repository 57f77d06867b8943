package io.myolotrain.cli.elastic;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Drops packets at random, in both directions, by the kernel's own filter; until closed. */
final class PacketLoss implements AutoCloseable {
    private static final List<String> IPTABLES = List.of("iptables-legacy", "-w", "10");

    private final List<List<String>> rules = new ArrayList<>();

    private PacketLoss() {}

    /** Whether this machine lets us: the tool, the right, the match. */
    static boolean isPossible() throws InterruptedException {
        try {
            onLoopback(9, 0.5).close();
            return true;
        } catch (IOException notHere) {
            return false;
        }
    }

    /** @param share of the packets to and from this TCP port, in (0, 1] */
    static PacketLoss onLoopback(int port, double share) throws IOException, InterruptedException {
        String number = Integer.toString(port);
        return drop(
                share,
                List.of("INPUT", "-i", "lo", "-p", "tcp", "--dport", number),
                List.of("INPUT", "-i", "lo", "-p", "tcp", "--sport", number));
    }

    /** @param share of what this machine forwards between two devices, in (0, 1] */
    static PacketLoss between(String device, String other, double share) throws IOException, InterruptedException {
        return drop(
                share, List.of("FORWARD", "-i", device, "-o", other), List.of("FORWARD", "-i", other, "-o", device));
    }

    @SafeVarargs
    private static PacketLoss drop(double share, List<String>... directions) throws IOException, InterruptedException {
        var loss = new PacketLoss();
        try {
            for (List<String> direction : directions) {
                List<String> rule = Stream.of(
                                direction,
                                List.of("-m", "statistic", "--mode", "random", "--probability"),
                                List.of(String.format(Locale.ROOT, "%.2f", share), "-j", "DROP"))
                        .flatMap(List::stream)
                        .toList();
                run("-I", rule);
                loss.rules.add(rule);
            }
            return loss;
        } catch (IOException | InterruptedException e) {
            loss.close();
            throw e;
        }
    }

    private static void run(String action, List<String> rule) throws IOException, InterruptedException {
        SystemCommand.run(
                Stream.of(IPTABLES, List.of(action), rule).flatMap(List::stream).toArray(String[]::new));
    }

    @Override
    public void close() throws IOException, InterruptedException {
        for (List<String> rule : rules) {
            run("-D", rule);
        }
        rules.clear();
    }
}
