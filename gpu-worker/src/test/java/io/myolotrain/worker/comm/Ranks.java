package io.myolotrain.worker.comm;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec.Transport;
import io.myolotrain.core.model.Plan.CommThresholds;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The ranks of one group as threads of this process, over the real listeners, sockets and memory. */
final class Ranks implements AutoCloseable {
    static final Duration TIMEOUT = Duration.ofSeconds(60);
    static final CommThresholds THRESHOLDS = new CommThresholds(16_384, 1 << 20);
    private static final AtomicLong GENERATIONS = new AtomicLong(System.nanoTime());

    final List<GroupConnector> connectors = new ArrayList<>();
    final List<GlooEndpoint> endpoints = new ArrayList<>();
    final List<Communicator> communicators = new ArrayList<>();
    final ExecutorService threads = Executors.newCachedThreadPool();
    final Transport transport;

    interface Body<T> {
        T run(Communicator communicator) throws Exception;
    }

    Ranks(Transport transport, int connectorCount) throws IOException {
        this.transport = transport;
        for (int rank = 0; rank < connectorCount; rank++) {
            GlooEndpoint gloo = null;
            if (transport == Transport.GLOO) {
                gloo = GlooEndpoint.open(InetAddress.getLoopbackAddress());
                endpoints.add(gloo);
            }
            connectors.add(GroupConnector.open(InetAddress.getLoopbackAddress(), 0, gloo));
        }
    }

    static Ranks form(Transport transport, int worldSize, int members, int floatsMax) throws Exception {
        var ranks = new Ranks(transport, worldSize);
        try {
            List<GroupSpec> specs = ranks.specs(key(), members, floatsMax);
            ranks.communicators.addAll(ranks.inParallel(
                    worldSize, rank -> ranks.connectors.get(rank).connect(specs.get(rank), TIMEOUT, () -> TIMEOUT)));
            return ranks;
        } catch (Exception e) {
            ranks.close();
            throw e;
        }
    }

    static GroupKey key() {
        return new GroupKey(new JobId("job"), "attempt-1", new Generation(GENERATIONS.incrementAndGet()));
    }

    List<GroupSpec> specs(GroupKey key, int members, int floatsMax) {
        var peers = new ArrayList<PeerAddress>();
        for (int rank = 0; rank < connectors.size(); rank++) {
            int storePort = endpoints.isEmpty() ? 0 : endpoints.get(rank).storePort();
            int peerPort = connectors.get(rank).peerPort();
            peers.add(new PeerAddress("w" + rank + "#1", "here", "127.0.0.1", peerPort, storePort));
        }
        var specs = new ArrayList<GroupSpec>();
        for (int rank = 0; rank < connectors.size(); rank++) {
            specs.add(new GroupSpec(key, transport, rank, members, peers, floatsMax, THRESHOLDS));
        }
        return specs;
    }

    /** Runs the body on every rank at once. */
    <T> List<T> run(Body<T> body) throws Exception {
        return inParallel(communicators.size(), rank -> body.run(communicators.get(rank)));
    }

    interface RankBody<T> {
        T run(int rank) throws Exception;
    }

    <T> List<T> inParallel(int count, RankBody<T> body) throws Exception {
        var futures = new ArrayList<Future<T>>();
        for (int rank = 0; rank < count; rank++) {
            int r = rank;
            Callable<T> task = () -> body.run(r);
            futures.add(threads.submit(task));
        }
        var results = new ArrayList<T>();
        for (Future<T> future : futures) {
            try {
                results.add(future.get(5 * TIMEOUT.toSeconds(), TimeUnit.SECONDS));
            } catch (ExecutionException e) {
                if (e.getCause() instanceof Exception cause) {
                    throw cause;
                }
                throw e;
            }
        }
        return results;
    }

    @Override
    public void close() {
        communicators.forEach(Communicator::close);
        connectors.forEach(GroupConnector::close);
        endpoints.forEach(GlooEndpoint::close);
        threads.shutdownNow();
    }
}
