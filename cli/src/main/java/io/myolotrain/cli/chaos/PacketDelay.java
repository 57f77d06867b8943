package io.myolotrain.cli.chaos;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Delays what passes to and from a TCP port of 127.0.0.1, each way; until closed, or until this process ends in any way that
 * runs its shutdown hooks. Needs root, and no queueing discipline of the kernel:
 *
 * <pre>
 *   client ──► :port ──(nat: REDIRECT)──► relay ──(from 127.0.0.2)──► :port, the server
 * </pre>
 *
 * A connection that was there before cannot be led elsewhere: it is reset as soon as its client speaks, and comes back
 * through the relay. That rule stays as long as the delay does, because a client that is silent cannot be reset.
 * At the end the relay closes first, so that each client hears of it and comes back without a detour.
 */
public final class PacketDelay implements AutoCloseable {
    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    /** Where the relay comes from: what the rules leave alone. */
    private static final byte[] RELAY_SOURCE = {127, 0, 0, 2};

    private final NetworkChanges changes;

    private PacketDelay(NetworkChanges changes) {
        this.changes = changes;
    }

    /** What this machine lacks for it, for people; empty when it can. Found out by trying. */
    public static Optional<String> obstacle() throws InterruptedException {
        return NetworkChanges.obstacle(() ->
                onLoopback(NetworkChanges.UNUSED_PORT, Duration.ofMillis(1)).close());
    }

    /** @param delay of each direction: a round trip takes twice as long */
    public static PacketDelay onLoopback(int port, Duration delay) throws IOException, InterruptedException {
        InetAddress loopback = InetAddress.getByAddress(LOOPBACK);
        DelayingRelay relay = DelayingRelay.open(
                new DelayingRelay.Route(
                        new InetSocketAddress(loopback, 0),
                        new InetSocketAddress(loopback, port),
                        Optional.of(InetAddress.getByAddress(RELAY_SOURCE))),
                delay);
        try {
            return new PacketDelay(NetworkChanges.make(changes -> {
                changes.insertRule(
                        "nat", rule("OUTPUT", "-o", port, "REDIRECT", "--to-ports", Integer.toString(relay.port())));
                changes.insertRule("filter", rule("INPUT", "-i", port, "REJECT", "--reject-with", "tcp-reset"));
                changes.closeBeforehand("relay", relay);
            }));
        } catch (IOException | InterruptedException e) {
            relay.close();
            throw e;
        }
    }

    /** @param device how the chain names its device: what goes out on it, or what comes in */
    private static List<String> rule(String chain, String device, int port, String... action)
            throws UnknownHostException {
        var rule = new ArrayList<>(List.of(chain, device, "lo", "-p", "tcp", "!", "-s", text(RELAY_SOURCE)));
        rule.addAll(List.of("-d", text(LOOPBACK), "--dport", Integer.toString(port), "-j"));
        rule.addAll(List.of(action));
        return List.copyOf(rule);
    }

    private static String text(byte[] address) throws UnknownHostException {
        return InetAddress.getByAddress(address).getHostAddress();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        changes.close();
    }
}
