package io.myolotrain.worker.comm.bench;

import io.myolotrain.core.model.JobSpec.Transport;
import io.myolotrain.core.model.MicroBatchRange;
import io.myolotrain.core.training.ReductionTree;
import io.myolotrain.worker.comm.Communicator;
import io.myolotrain.worker.comm.PeerAddress;
import io.myolotrain.worker.comm.TreeReduction;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.Work;
import org.bytedeco.pytorch.global.torch;

/** One rank of {@link AllReduceBench}; rank 0 reports a median per round. */
final class AllReduceRank {
    static final String FIGURE = "figure";
    static final String DONE = "done";
    private static final Duration DEADLINE = Duration.ofMinutes(1);
    private static final Duration TURN = Duration.ofMillis(200);
    private static final int WARM_UP_ITERATIONS = 3_000; // C2 compiles after about 10,000 loops
    private static final int ITERATIONS_MIN = 20;
    private static final int ITERATIONS_MAX = 4_000;

    private final int worldSize;
    private final Communicator memory;

    private AllReduceRank(int worldSize, Communicator memory) {
        this.worldSize = worldSize;
        this.memory = memory;
    }

    private interface Operation {
        void run() throws IOException;
    }

    /** @param arguments rank, world size, rounds */
    public static void main(String[] arguments) throws IOException {
        int rank = Integer.parseInt(arguments[0]);
        int worldSize = Integer.parseInt(arguments[1]);
        int rounds = Integer.parseInt(arguments[2]);
        try (var process = new RankMain(rank)) {
            List<PeerAddress> peers = process.meet();
            process.endWithParent();
            int floatsMax = AllReduceBench.SIZES_BYTES.values().stream()
                            .max(Integer::compare)
                            .orElseThrow()
                    / Float.BYTES;
            try (Communicator memory = process.connect(Transport.SHARED_MEMORY, 1, peers, floatsMax, DEADLINE);
                    Communicator gloo = process.connect(Transport.GLOO, 2, peers, floatsMax, DEADLINE);
                    TcpBaseline tcp =
                            TcpBaseline.connect(rank, worldSize, port -> memory.allGather(new long[] {port}));
                    var raw = process.gloo()
                            .join(peers.get(0).address(), peers.get(0).storePort(), "raw", rank, worldSize, DEADLINE)) {
                var bench = new AllReduceRank(worldSize, memory);
                var operations = new LinkedHashMap<String, Map<String, Operation>>();
                AllReduceBench.SIZES_BYTES.forEach((size, bytes) -> {
                    var byTransport = new LinkedHashMap<String, Operation>();
                    byTransport.put("shm", bench.tree(memory, bytes));
                    byTransport.put("tcp", tcp(tcp, bytes));
                    byTransport.put("gloo", raw(raw.group(), bytes));
                    byTransport.put("glooTree", bench.tree(gloo, bytes));
                    operations.put(size, byTransport);
                });
                bench.measure(rounds, operations);
                memory.barrier();
            }
        }
        RankMain.say(DONE, "");
        Runtime.getRuntime().halt(0); // Gloo's background threads have nothing left to do
    }

    private Operation tree(Communicator communicator, int bytes) {
        var blocks = new ArrayList<MicroBatchRange>();
        for (int rank = 0; rank < worldSize; rank++) {
            blocks.add(new MicroBatchRange(rank, 1));
        }
        TreeReduction reduction = TreeReduction.of(new ReductionTree(worldSize), blocks);
        List<FloatBuffer> partials = List.of(direct(bytes).asFloatBuffer());
        FloatBuffer result = direct(bytes).asFloatBuffer();
        return () -> communicator.allReduce(reduction, partials, result);
    }

    private static Operation tcp(TcpBaseline tcp, int bytes) {
        ByteBuffer data = direct(bytes);
        return () -> tcp.allReduce(data);
    }

    /** Gloo as it is: its own order of additions. */
    private static Operation raw(org.bytedeco.pytorch.ProcessGroupGloo group, int bytes) {
        Tensor tensor = torch.full(new long[] {bytes / Float.BYTES}, new Scalar(0.0));
        var tensors = new TensorVector(tensor);
        return () -> {
            try (Work work = group.allreduce(tensors)) {
                work._wait();
            }
        };
    }

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    /** Transports take turns within every round, so that a disturbance hits all of them. */
    private void measure(int rounds, Map<String, Map<String, Operation>> operations) throws IOException {
        var iterations = new LinkedHashMap<String, Integer>();
        for (int round = 0; round <= rounds; round++) {
            for (var size : operations.entrySet()) {
                for (var transport : size.getValue().entrySet()) {
                    String name = transport.getKey() + size.getKey();
                    if (round == 0) {
                        iterations.put(name, warmUp(transport.getValue()));
                    } else {
                        double micros = median(transport.getValue(), iterations.getOrDefault(name, ITERATIONS_MIN));
                        if (memory.rank() == 0) {
                            RankMain.say(FIGURE, name + " " + micros);
                        }
                    }
                }
            }
        }
    }

    /** @return iterations that fill a turn, as rank 0 sees it */
    private int warmUp(Operation operation) throws IOException {
        memory.barrier();
        int planned = ITERATIONS_MIN;
        long startNanos = System.nanoTime();
        int done = 0;
        while (done < planned) {
            operation.run();
            done++;
            if (done == planned && planned < WARM_UP_ITERATIONS) {
                long perIteration = (System.nanoTime() - startNanos) / done;
                planned = agreed(Math.min(WARM_UP_ITERATIONS, 5 * TURN.toNanos() / Math.max(1, perIteration)), done);
            }
        }
        long perIteration = (System.nanoTime() - startNanos) / done;
        return agreed(Math.min(ITERATIONS_MAX, TURN.toNanos() / Math.max(1, perIteration)), ITERATIONS_MIN);
    }

    private int agreed(long wanted, int atLeast) {
        return (int) Math.max(memory.allGather(new long[] {wanted})[0], atLeast);
    }

    private double median(Operation operation, int iterations) throws IOException {
        memory.barrier();
        long[] nanos = new long[iterations];
        for (int i = 0; i < iterations; i++) {
            long start = System.nanoTime();
            operation.run();
            nanos[i] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        return nanos[iterations / 2] / 1e3;
    }
}
