package io.myolotrain.cli.client;

import io.myolotrain.cli.CommandFailure;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.sampling.SamplingRequest;
import io.myolotrain.topics.Codecs;
import io.myolotrain.topics.Connection;
import io.myolotrain.topics.EventIngress;
import io.myolotrain.topics.Ingress;
import io.myolotrain.topics.Producers;
import io.myolotrain.topics.SamplingEvent;
import io.myolotrain.topics.Topic;
import io.myolotrain.topics.Topics;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.common.KafkaException;

/** A command's connection to one pool. */
public final class Session implements AutoCloseable {
    private static final int CONNECT_TIMEOUT_MS = 3_000;
    private static final int PUBLISH_TIMEOUT_MS = 10_000;

    private final Connection connection;
    private final PoolId pool;
    private final Codecs codecs;

    private Session(Connection connection, PoolId pool) {
        this.connection = connection;
        this.pool = pool;
        this.codecs = Codecs.of(connection);
    }

    /** Fails at once, and in words, when broker or registry are not there: Kafka's clients would wait and retry. */
    public static Session open(Connection connection, PoolId pool) {
        requireBroker(connection.bootstrap());
        requireRegistry(connection.registryUrl());
        return new Session(connection, pool);
    }

    public Connection connection() {
        return connection;
    }

    public PoolId pool() {
        return pool;
    }

    public Codecs codecs() {
        return codecs;
    }

    public static String newEventId() {
        return "cli-" + UUID.randomUUID();
    }

    /** Returns when the log holds the event. */
    public void publish(String eventId, Event event) {
        publish(Topics.ingressOf(event), new EventIngress(header(eventId), event));
    }

    /** Returns when the log holds the request. */
    public void publish(String eventId, SamplingRequest request) {
        publish(Topics.SAMPLING_CHANGES, new SamplingEvent(header(eventId), request));
    }

    private Ingress.Header header(String eventId) {
        return new Ingress.Header(eventId, pool, person(), System.currentTimeMillis());
    }

    private <V> void publish(Topic<V> topic, V value) {
        Map<String, Object> impatient = Map.of(
                "max.block.ms", PUBLISH_TIMEOUT_MS,
                "delivery.timeout.ms", PUBLISH_TIMEOUT_MS,
                "request.timeout.ms", PUBLISH_TIMEOUT_MS / 2);
        try (Producers producers = Producers.open(connection, codecs, "myolotrain-cli", impatient)) {
            producers.writer(topic).sendAndWait(pool.value(), value);
        } catch (KafkaException e) {
            throw CommandFailure.unreachable(
                    "the request could not be written: " + e.getMessage(),
                    "Check that the broker at " + connection.bootstrap() + " runs, then try again.",
                    e);
        }
    }

    /** Who asks, for the log. */
    public static String person() {
        return System.getProperty("user.name", "somebody");
    }

    private static void requireBroker(String bootstrap) {
        for (String address : List.of(bootstrap.split(",", -1))) {
            int colon = address.lastIndexOf(':');
            if (colon < 1 || !address.substring(colon + 1).strip().matches("[0-9]{1,5}")) {
                throw CommandFailure.usage(
                        "a broker's address must be HOST:PORT: --bootstrap " + bootstrap, "For example 127.0.0.1:9092");
            }
            if (listens(
                    address.substring(0, colon).strip(),
                    Integer.parseInt(address.substring(colon + 1).strip()))) {
                return;
            }
        }
        throw CommandFailure.unreachable(
                "nobody listens at the broker's address: " + bootstrap,
                "Start 'myolotrain demo' or 'myolotrain broker', or name another one with --bootstrap HOST:PORT.",
                null);
    }

    private static void requireRegistry(String url) {
        URI uri = URI.create(url.split(",", 2)[0].strip());
        int port = uri.getPort() >= 0 ? uri.getPort() : "https".equals(uri.getScheme()) ? 443 : 80;
        if (uri.getHost() == null || !listens(uri.getHost(), port)) {
            throw CommandFailure.unreachable(
                    "nobody listens at the schema registry's address: " + url,
                    "Start 'myolotrain demo' or 'myolotrain broker', or name another one with --registry URL.",
                    null);
        }
    }

    private static boolean listens(String host, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), CONNECT_TIMEOUT_MS);
            return true;
        } catch (IOException notThere) {
            return false;
        }
    }

    @Override
    public void close() {
        codecs.close();
    }
}
