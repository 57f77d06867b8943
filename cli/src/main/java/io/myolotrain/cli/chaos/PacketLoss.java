package io.myolotrain.cli.chaos;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drops packets at random, in both directions, by the kernel's own filter; until closed, or until this process ends in
 * any way that runs its shutdown hooks. Needs root.
 */
public final class PacketLoss implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PacketLoss.class);
    private static final List<String> IPTABLES = List.of("iptables-legacy", "-w", "10");

    private final List<List<String>> rules = new ArrayList<>(); // guarded by this
    private final Thread atExit = new Thread(this::removeQuietly, "packet-loss-ends");

    private PacketLoss() {}

    /** Whether this machine lets us: the tool, the right, the match. */
    public static boolean isPossible() throws InterruptedException {
        try {
            onLoopback(9, 0.5).close();
            return true;
        } catch (IOException notHere) {
            return false;
        }
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
        var loss = new PacketLoss();
        Runtime.getRuntime().addShutdownHook(loss.atExit);
        try {
            for (List<String> direction : directions) {
                List<String> rule = Stream.of(
                                direction,
                                List.of("-m", "statistic", "--mode", "random", "--probability"),
                                List.of(String.format(Locale.ROOT, "%.2f", share), "-j", "DROP"))
                        .flatMap(List::stream)
                        .toList();
                loss.insert(rule);
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

    private synchronized void insert(List<String> rule) throws IOException, InterruptedException {
        run("-I", rule);
        rules.add(rule);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        remove();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException exiting) {
            LOG.atDebug().log("the process ends, and its packet loss with it");
        }
    }

    private synchronized void remove() throws IOException, InterruptedException {
        while (!rules.isEmpty()) {
            run("-D", rules.get(rules.size() - 1));
            rules.remove(rules.size() - 1);
        }
    }

    private void removeQuietly() {
        try {
            remove();
        } catch (IOException e) {
            LOG.atError().setCause(e).addKeyValue("rules", rules).log("rules of the packet filter are left behind");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
