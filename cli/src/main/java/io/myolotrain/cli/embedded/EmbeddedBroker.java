package io.myolotrain.cli.embedded;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Exit;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One KRaft node, broker and controller at once, in this process. Listens on loopback only. Its data outlives it: a broker
 * started again on the same directory goes on with every topic, on whatever ports it gets.
 */
public final class EmbeddedBroker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedBroker.class);
    private static final int BIND_ATTEMPTS_MAX = 3; // picked ports can be taken by others before Kafka binds them

    private final KafkaRaftServer server;
    private final DirectoryLock lock;
    private final int port;

    private EmbeddedBroker(KafkaRaftServer server, DirectoryLock lock, int port) {
        this.server = server;
        this.lock = lock;
        this.port = port;
    }

    /**
     * A second listener, for clients that come through a relay.
     *
     * @param port on loopback, where the relay connects to
     * @param relayHost with {@code relayPort} where the relay listens: what those clients are told
     */
    public record Relayed(int port, String relayHost, int relayPort) {}

    /** @param port client port, 0 = any free one */
    public record Options(Path directory, int port, Map<String, String> overrides, Optional<Relayed> relayed) {
        public Options {
            if (port < 0 || port > 65_535) {
                throw new IllegalArgumentException("port must be in [0, 65535]: port=" + port);
            }
            overrides = Map.copyOf(overrides);
        }

        public Options(Path directory, int port, Map<String, String> overrides) {
            this(directory, port, overrides, Optional.empty());
        }

        public static Options in(Path directory) {
            return new Options(directory, 0, Map.of());
        }

        public Options port(int port) {
            return new Options(directory, port, overrides, relayed);
        }

        public Options relayed(Relayed relayed) {
            return new Options(directory, port, overrides, Optional.of(relayed));
        }
    }

    /** Returns when clients can connect. */
    public static EmbeddedBroker start(Options options) throws IOException {
        Path directory = options.directory().toAbsolutePath().normalize();
        DirectoryLock lock = DirectoryLock.take(directory);
        try {
            throwInsteadOfExit();
            format(directory);
            return bind(options, directory, lock);
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private static EmbeddedBroker bind(Options options, Path directory, DirectoryLock lock) {
        for (int attempt = 1; ; attempt++) {
            int port = options.port() == 0 ? Ports.free() : options.port();
            KafkaRaftServer server =
                    new KafkaRaftServer(new KafkaConfig(settings(directory, port, options)), Time.SYSTEM);
            try {
                server.startup();
                LOG.atInfo()
                        .addKeyValue("directory", directory)
                        .addKeyValue("port", port)
                        .log("broker started");
                return new EmbeddedBroker(server, lock, port);
            } catch (RuntimeException e) {
                server.shutdown();
                server.awaitShutdown();
                if (options.port() != 0) {
                    throw new IllegalStateException(
                            "the broker could not start on port " + port
                                    + "; if another program listens there, choose another port (0 = any free one): "
                                    + e.getMessage(),
                            e);
                }
                if (attempt == BIND_ATTEMPTS_MAX) {
                    throw e;
                }
            }
        }
    }

    public String bootstrap() {
        return "127.0.0.1:" + port;
    }

    @Override
    public void close() throws IOException {
        server.shutdown();
        server.awaitShutdown();
        lock.close();
    }

    private static void format(Path directory) throws IOException {
        if (Files.exists(directory.resolve("meta.properties"))) {
            return;
        }
        var formatter = new Formatter()
                .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                .setNodeId(1)
                .setClusterId(Uuid.randomUuid().toString())
                .setControllerListenerName("CONTROLLER")
                .setMetadataLogDirectory(directory.toString())
                .addDirectory(directory.toString());
        try {
            formatter.run();
        } catch (Exception e) { // the declared type of run()
            throw new IOException("cannot format the broker's directory " + directory, e);
        }
    }

    /** Kafka ends the JVM on fatal errors; here that would take coordinator, UI and fleet along without a word. */
    private static void throwInsteadOfExit() {
        Exit.setExitProcedure(EmbeddedBroker::fatal);
        Exit.setHaltProcedure(EmbeddedBroker::fatal);
    }

    private static void fatal(int status, @Nullable String message) {
        LOG.atError()
                .addKeyValue("status", status)
                .addKeyValue("reason", message)
                .log("broker failed");
        throw new IllegalStateException("broker failed: status=" + status + " reason=" + message);
    }

    private static Properties settings(Path directory, int port, Options options) {
        int controllerPort = Ports.free();
        Properties p = new Properties();
        p.put("process.roles", "broker,controller");
        p.put("node.id", "1");
        p.put("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
        p.put("listeners", "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort);
        p.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port);
        p.put("controller.listener.names", "CONTROLLER");
        p.put("inter.broker.listener.name", "PLAINTEXT");
        p.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
        p.put("log.dirs", directory.toString());
        oneReplica(p);
        p.put("auto.create.topics.enable", "false");
        p.put("group.initial.rebalance.delay.ms", "0");
        p.put("num.network.threads", "2");
        p.put("num.io.threads", "4");
        p.put("log.cleaner.dedupe.buffer.size", String.valueOf(16 << 20)); // default 128 MiB
        p.put("log.cleaner.threads", "1");
        // A transaction that follows a commit is otherwise retried every 20 ms: 70 instead of 1,000 transactions/s.
        p.put("add.partitions.to.txn.retry.backoff.ms", "1");
        // How long a killed broker's successor waits to be let in; also how long this process may stand still (a busy
        // machine, a pause) before the broker is fenced and every client stalls.
        p.put("broker.session.timeout.ms", "6000");
        p.put("broker.heartbeat.interval.ms", "500");
        options.relayed().ifPresent(relayed -> listen(p, relayed));
        p.putAll(options.overrides());
        return p;
    }

    private static void listen(Properties p, Relayed relayed) {
        p.merge("listeners", ",RELAYED://127.0.0.1:" + relayed.port(), (own, more) -> own + "" + more);
        p.merge(
                "advertised.listeners",
                ",RELAYED://" + relayed.relayHost() + ":" + relayed.relayPort(),
                (own, more) -> own + "" + more);
        p.merge("listener.security.protocol.map", ",RELAYED:PLAINTEXT", (own, more) -> own + "" + more);
    }

    private static void oneReplica(Properties p) {
        p.put("offsets.topic.replication.factor", "1");
        p.put("offsets.topic.num.partitions", "4");
        p.put("transaction.state.log.replication.factor", "1");
        p.put("transaction.state.log.min.isr", "1");
        p.put("transaction.state.log.num.partitions", "4");
        p.put("share.coordinator.state.topic.replication.factor", "1");
        p.put("share.coordinator.state.topic.min.isr", "1");
        p.put("default.replication.factor", "1");
        p.put("min.insync.replicas", "1");
    }
}
