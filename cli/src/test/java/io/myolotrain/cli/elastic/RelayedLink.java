package io.myolotrain.cli.elastic;

import io.myolotrain.cli.embedded.EmbeddedBroker;
import io.myolotrain.cli.embedded.Ports;
import io.myolotrain.topics.Connection;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import org.netcrusher.core.reactor.NioReactor;
import org.netcrusher.core.throttle.Throttler;
import org.netcrusher.tcp.TcpCrusher;
import org.netcrusher.tcp.TcpCrusherBuilder;

/** Workers come to the log through a relay that can be slow or cut; the coordinator does not. */
final class RelayedLink implements TestPool.WorkerLink, AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";

    private final NioReactor reactor;
    private final EmbeddedBroker.Relayed ports;
    private final TcpCrusher broker;
    private TcpCrusher registry;
    private volatile long delayNanos;

    /** @param host address on this machine that the workers come to */
    RelayedLink(String host) throws IOException {
        ports = new EmbeddedBroker.Relayed(Ports.free(), host, Ports.free());
        reactor = new NioReactor();
        broker = relay(ports.relayPort(), ports.port());
    }

    /** Where workers connect to for the broker. */
    int port() {
        return ports.relayPort();
    }

    private TcpCrusher relay(int from, int to) {
        Throttler wait = bytes -> delayNanos;
        return TcpCrusherBuilder.builder()
                .withReactor(reactor)
                .withBindAddress(ports.relayHost(), from)
                .withConnectAddress(LOOPBACK, to)
                .withTcpNoDelay(true)
                .withIncomingThrottlerFactory(client -> wait)
                .withOutgoingThrottlerFactory(client -> wait)
                .buildAndOpen();
    }

    @Override
    public EmbeddedBroker.Options broker(EmbeddedBroker.Options options) {
        return options.relayed(ports);
    }

    @Override
    public Connection connection(Connection direct) {
        int registryRelay = Ports.free();
        registry = relay(registryRelay, URI.create(direct.registryUrl()).getPort());
        return Connection.of(
                ports.relayHost() + ":" + ports.relayPort(), "http://" + ports.relayHost() + ":" + registryRelay);
    }

    /** Of everything that passes, in each direction. */
    void delay(long millis) {
        delayNanos = TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Connections stay, and nothing passes. */
    void cut() {
        broker.freeze();
        registry.freeze();
    }

    void heal() {
        broker.unfreeze();
        registry.unfreeze();
    }

    @Override
    public void close() {
        broker.close();
        if (registry != null) {
            registry.close();
        }
        reactor.close();
    }
}
