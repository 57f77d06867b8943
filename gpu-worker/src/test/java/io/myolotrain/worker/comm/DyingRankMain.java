package io.myolotrain.worker.comm;

import io.myolotrain.core.model.JobSpec.Transport;
import io.myolotrain.worker.comm.bench.RankMain;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * A rank for {@link RankDeathIT}: reduces until its group fails, tells how, forms a group with whom it is told, reduces
 * once and ends.
 */
final class DyingRankMain {
    static final int SEED = 20_260_101;
    static final int FLOATS = 50_000;

    private DyingRankMain() {}

    /** @param arguments rank, world size, transport */
    public static void main(String[] arguments) throws IOException {
        int rank = Integer.parseInt(arguments[0]);
        int worldSize = Integer.parseInt(arguments[1]);
        Transport transport = Transport.valueOf(arguments[2]);
        try (var process = new RankMain(rank)) {
            List<PeerAddress> peers = process.meet();
            Communicator group = process.connect(transport, 1, peers, FLOATS, Duration.ofMinutes(5));
            RankMain.say("formed", Integer.toString(group.worldSize()));
            TreeOracle before = oracle(worldSize);
            TreeOracle after = oracle(worldSize - 1);
            try {
                for (long step = 0; ; step++) {
                    reduce(group, before);
                    if (step % 100 == 0) {
                        RankMain.say("step", Long.toString(step));
                    }
                }
            } catch (CollectiveFailedException e) {
                RankMain.say("failed", e.missingRanks() + " " + e.getMessage());
            }
            group.close();
            List<PeerAddress> survivors = Arrays.stream(process.line().split(","))
                    .map(survivor -> peers.get(Integer.parseInt(survivor)))
                    .toList();
            try (Communicator next = process.connect(transport, 2, survivors, FLOATS, Duration.ofMinutes(5))) {
                RankMain.say("reduced", Integer.toString(Arrays.hashCode(reduce(next, after))));
                next.barrier();
            }
        }
        Runtime.getRuntime().halt(0);
    }

    private static float[] reduce(Communicator group, TreeOracle oracle) {
        FloatBuffer result = TreeOracle.direct(FLOATS);
        group.allReduce(oracle.reduction, oracle.partials(group.rank()), result);
        return TreeOracle.array(result);
    }

    static TreeOracle oracle(int worldSize) {
        return new TreeOracle(new Random(SEED), worldSize, FLOATS);
    }
}
