package io.myolotrain.worker.comm;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.model.JobSpec.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class GlooCommunicatorTest extends CommunicatorContract {
    @Override
    Transport transport() {
        return Transport.GLOO;
    }

    @Override
    int smallRounds() {
        return 200;
    }

    @Test
    void glooAndSharedMemoryGiveTheSameBits() throws Exception {
        long seed = System.nanoTime();
        for (int floats : new int[] {1_000, 30_000}) {
            var oracle = new TreeOracle(new Random(seed), 3, floats);
            List<float[]> overGloo = allReduced(Transport.GLOO, oracle);
            List<float[]> overMemory = allReduced(Transport.SHARED_MEMORY, oracle);
            for (int rank = 0; rank < 3; rank++) {
                assertThat(overGloo.get(rank))
                        .as("seed=%d floats=%d", seed, floats)
                        .isEqualTo(overMemory.get(rank));
            }
        }
    }

    private static List<float[]> allReduced(Transport transport, TreeOracle oracle) throws Exception {
        try (Ranks ranks = Ranks.form(transport, 3, 3, oracle.floats())) {
            return ranks.run(communicator -> {
                FloatBuffer result = TreeOracle.direct(oracle.floats());
                communicator.allReduce(oracle.reduction, oracle.partials(communicator.rank()), result);
                return TreeOracle.array(result);
            });
        }
    }

    @Test
    void theStoreListensOnItsAddressAlone() throws Exception {
        try (GlooEndpoint endpoint = GlooEndpoint.open(InetAddress.getByName("127.0.0.1"));
                Socket here = new Socket()) {
            here.connect(new InetSocketAddress("127.0.0.1", endpoint.storePort()), 1_000);
            assertThat(here.isConnected()).isTrue();
            Assertions.assertThatThrownBy(() -> {
                        try (Socket elsewhere = new Socket()) {
                            elsewhere.connect(new InetSocketAddress("127.0.0.2", endpoint.storePort()), 1_000);
                        }
                    })
                    .isInstanceOf(java.io.IOException.class);
        }
    }
}
