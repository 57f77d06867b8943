package io.myolotrain.worker.comm;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import org.bytedeco.pytorch.BroadcastOptions;
import org.bytedeco.pytorch.LongVector;
import org.bytedeco.pytorch.ProcessGroupGloo;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.Work;

/**
 * Gloo's operations with a way out: LibTorch can't wake a blocked wait, so this polls, looks at the liveness sockets, and
 * leaves the operation behind when the group has ended. The tensors then live on until Gloo lets go of them.
 */
final class GlooWork {
    private static final int SPINS = 100;
    private static final long NAP_NANOS = 50_000;
    private static final int TAG = 1;
    /** A peer may complete an operation and leave: its bytes may still be on their way. */
    private static final Duration GONE_GRACE = Duration.ofSeconds(1);

    private final GlooGroup gloo;
    private final ProcessGroupGloo group;
    private final CollectiveGuard guard;
    private final IntPredicate peers;

    GlooWork(GlooGroup gloo, CollectiveGuard guard, int rank) {
        this.gloo = gloo;
        this.group = gloo.group();
        this.guard = guard;
        this.peers = peer -> peer != rank;
    }

    void allGather(Tensor all, Tensor mine) {
        run(() -> await(group._allgather_base(all, mine)));
    }

    void allToAll(Tensor take, Tensor give, long[] takeSizes, long[] giveSizes) {
        run(() -> await(group.alltoall_base(take, give, new LongVector(takeSizes), new LongVector(giveSizes))));
    }

    void broadcast(Tensor data, int root) {
        run(() -> await(group.broadcast(
                new TensorVector(data), new BroadcastOptions().rootRank(root).rootTensor(0))));
    }

    void send(Tensor data, int peer) {
        run(() -> awaitAside(group.send(new TensorVector(data), peer, TAG)));
    }

    void recv(Tensor data, int peer) {
        run(() -> awaitAside(group.recv(new TensorVector(data), peer, TAG)));
    }

    private void run(Runnable operation) {
        try {
            operation.run();
        } catch (CollectiveFailedException e) {
            gloo.close(); // at once: peers that wait for this rank wake up
            throw e;
        } catch (RuntimeException e) { // what C++ throws; the liveness sockets know who is dead a moment later
            gloo.close();
            long untilNanos = System.nanoTime() + GONE_GRACE.toNanos();
            while (System.nanoTime() < untilNanos) {
                guard.checkEnding();
                guard.checkGone(peers);
                LockSupport.parkNanos(NAP_NANOS);
            }
            throw guard.failure(GlooTransport.firstLine(e), List.of());
        }
    }

    private void await(Work work) {
        poll(work::isCompleted);
        work._wait(); // completed: returns at once, or throws what went wrong
    }

    /** Sends and receives complete only while somebody waits for them. */
    private void awaitAside(Work work) {
        work.retainReference();
        var waiting = CompletableFuture.runAsync(
                () -> {
                    try {
                        work._wait();
                    } finally {
                        work.releaseReference();
                    }
                },
                task -> {
                    var thread = new Thread(task, "gloo-wait");
                    thread.setDaemon(true);
                    thread.start();
                });
        poll(waiting::isDone);
        waiting.join();
    }

    private void poll(BooleanSupplier done) {
        for (int spin = 0; spin < SPINS; spin++) {
            if (done.getAsBoolean()) {
                return;
            }
            Thread.onSpinWait();
        }
        long goneNanos = 0;
        while (!done.getAsBoolean()) {
            LockSupport.parkNanos(NAP_NANOS);
            guard.checkEnding();
            guard.checkDeadline(List.of()); // who is late, Gloo doesn't tell
            if (guard.anyGone(peers)) {
                goneNanos = goneNanos == 0 ? System.nanoTime() : goneNanos;
                if (System.nanoTime() - goneNanos > GONE_GRACE.toNanos() && !done.getAsBoolean()) {
                    guard.checkGone(peers);
                }
            }
        }
    }
}
