package io.myolotrain.cli.elastic;

import io.myolotrain.cli.chaos.DelayingRelay;
import io.myolotrain.cli.embedded.EmbeddedBroker;
import io.myolotrain.cli.embedded.Ports;
import io.myolotrain.topics.Connection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Workers come to the log through a relay that can be slow or cut; the coordinator does not. */
final class RelayedLink implements TestPool.WorkerLink, AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";
    private static final Duration FOR_EVER = Duration.ofDays(1);

    private final EmbeddedBroker.Relayed ports;
    private final List<DelayingRelay> relays = new ArrayList<>();

    /** @param host address on this machine that the workers come to */
    RelayedLink(String host) throws IOException {
        ports = new EmbeddedBroker.Relayed(Ports.free(), host, Ports.free());
        relay(ports.relayPort(), ports.port());
    }

    /** Where workers connect to for the broker. */
    int port() {
        return ports.relayPort();
    }

    private DelayingRelay relay(int from, int to) throws IOException {
        var route = new DelayingRelay.Route(
                new InetSocketAddress(ports.relayHost(), from), new InetSocketAddress(LOOPBACK, to), Optional.empty());
        DelayingRelay relay = DelayingRelay.open(route, Duration.ZERO);
        relays.add(relay);
        return relay;
    }

    @Override
    public EmbeddedBroker.Options broker(EmbeddedBroker.Options options) {
        return options.relayed(ports);
    }

    @Override
    public Connection connection(Connection direct) throws IOException {
        DelayingRelay registry = relay(0, URI.create(direct.registryUrl()).getPort());
        return Connection.of(
                ports.relayHost() + ":" + ports.relayPort(), "http://" + ports.relayHost() + ":" + registry.port());
    }

    /** Of everything that passes, in each direction. */
    void delay(Duration delay) {
        relays.forEach(relay -> relay.delay(delay));
    }

    /** Connections stay, and nothing passes. */
    void cut() {
        delay(FOR_EVER);
    }

    void heal() {
        delay(Duration.ZERO);
    }

    @Override
    public void close() {
        relays.forEach(DelayingRelay::close);
    }
}
