package io.myolotrain.ui.topics;

import io.myolotrain.topics.Connection;
import io.myolotrain.ui.port.ClusterFeed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the broker for the ends of the topics: the answer is the lag, no answer is the problem that the page shows. */
final class BrokerProbe implements AutoCloseable {
    private static final long EVERY_MS = 1_000;
    private static final int TIMEOUT_MS = 3_000;
    private static final long CLOSE_TIMEOUT_MS = 5_000;
    private static final Logger LOG = LoggerFactory.getLogger(BrokerProbe.class);

    private final Connection connection;
    private final FeedQueue queue;
    private final List<Watched> watched = new ArrayList<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile String stopped = "";
    private @Nullable Thread thread;

    private record Watched(
            String topic, int partitions, QueueingListener<?> listener, CompletableFuture<Void> caughtUp) {}

    BrokerProbe(Connection connection, FeedQueue queue) {
        this.connection = connection;
        this.queue = queue;
    }

    /** Before {@link #start}. */
    void watch(String topic, int partitions, QueueingListener<?> listener, CompletableFuture<Void> caughtUp) {
        watched.add(new Watched(topic, partitions, listener, caughtUp));
    }

    void start() {
        var probing = new Thread(this::run, "ui-broker-probe");
        probing.setDaemon(true);
        thread = probing;
        probing.start();
    }

    void readerStopped(String topic, Exception cause) {
        stopped = "the reader of " + topic + " stopped: " + cause.getMessage() + "; restart the web UI";
    }

    boolean closed() {
        return closing.getCount() == 0;
    }

    @Override
    public void close() {
        closing.countDown();
        if (thread != null) {
            thread.interrupt();
            try {
                thread.join(CLOSE_TIMEOUT_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run() {
        var settings = new TreeMap<>(connection.clientSettings());
        settings.put(AdminClientConfig.CLIENT_ID_CONFIG, "myolotrain-ui-probe");
        settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
        settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
        try (Admin admin = Admin.create(settings)) {
            while (!closed()) {
                queue.put(probe(admin));
                if (closing.await(EVERY_MS, TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            LOG.atDebug().log("broker probe ends");
        }
    }

    private ClusterFeed.Position probe(Admin admin) throws InterruptedException {
        var lag = new TreeMap<String, Long>();
        String problem = stopped;
        for (Watched of : watched) {
            try {
                lag.put(of.topic, lag(admin, of));
            } catch (ExecutionException e) {
                problem = of.topic + ": " + reason(e);
                break;
            } catch (TimeoutException e) {
                problem = "no answer within " + TIMEOUT_MS + " ms";
                break;
            }
        }
        return new ClusterFeed.Position(problem, lag);
    }

    private static String reason(ExecutionException e) {
        Throwable cause = e.getCause();
        return String.valueOf(cause == null ? e.getMessage() : cause.getMessage());
    }

    /** Once a reader has caught up it stays so within moments; commit markers would make its offsets look behind. */
    private static long lag(Admin admin, Watched of) throws InterruptedException, ExecutionException, TimeoutException {
        var wanted = new HashMap<TopicPartition, OffsetSpec>();
        for (int partition = 0; partition < of.partitions; partition++) {
            wanted.put(new TopicPartition(of.topic, partition), OffsetSpec.latest());
        }
        var ends = admin.listOffsets(wanted).all().get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
        if (of.caughtUp.isDone()) {
            return 0;
        }
        return ends.entrySet().stream()
                .mapToLong(e -> Math.max(
                        0,
                        e.getValue().offset()
                                - of.listener.nextOffset(e.getKey().partition())))
                .sum();
    }
}
