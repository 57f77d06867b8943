package io.myolotrain.worker.comm.bench;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec.Transport;
import io.myolotrain.core.model.Plan.CommThresholds;
import io.myolotrain.worker.comm.Communicator;
import io.myolotrain.worker.comm.GlooEndpoint;
import io.myolotrain.worker.comm.GroupConnector;
import io.myolotrain.worker.comm.GroupKey;
import io.myolotrain.worker.comm.GroupSpec;
import io.myolotrain.worker.comm.PeerAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The child's side of {@link RankProcesses}: one rank in a process of its own. */
public final class RankMain implements AutoCloseable {
    static final String PORTS = "ports";
    private static final Duration FORMING_TIMEOUT = Duration.ofMinutes(2);
    private static final PrintStream OUT = System.out;

    private final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private final int rank;
    private final GlooEndpoint gloo;
    private final GroupConnector connector;

    public RankMain(int rank) throws IOException {
        this.rank = rank;
        this.gloo = GlooEndpoint.open(InetAddress.getLoopbackAddress());
        this.connector = GroupConnector.open(InetAddress.getLoopbackAddress(), 0, gloo);
    }

    public static void say(String kind, String text) {
        OUT.println(RankProcesses.MARK + kind + " " + text);
        OUT.flush();
    }

    public int rank() {
        return rank;
    }

    public GlooEndpoint gloo() {
        return gloo;
    }

    /** Announces this rank's ports and waits for everybody's. */
    public List<PeerAddress> meet() throws IOException {
        say(PORTS, connector.peerPort() + ":" + gloo.storePort());
        var peers = new ArrayList<PeerAddress>();
        for (String peer : line().split(" ", -1)) {
            String[] ports = peer.split(":", 2);
            peers.add(new PeerAddress(
                    "w" + peers.size() + "#1",
                    "localhost",
                    InetAddress.getLoopbackAddress().getHostAddress(),
                    Integer.parseInt(ports[0]),
                    Integer.parseInt(ports[1])));
        }
        return peers;
    }

    /** The parent's next line; a process without a parent has nothing left to do. */
    public String line() throws IOException {
        String line = in.readLine();
        if (line == null) {
            throw new IOException("the parent process is gone");
        }
        return line;
    }

    /** Ends this process when its parent ends, from now on; no more lines are read. */
    public void endWithParent() {
        var watcher = new Thread(
                () -> {
                    try {
                        while (in.read() >= 0) {
                            // nothing is expected any more
                        }
                    } catch (IOException e) {
                        OUT.println("parent lost: " + e.getMessage());
                    }
                    Runtime.getRuntime().halt(1);
                },
                "parent-watch");
        watcher.setDaemon(true);
        watcher.start();
    }

    public Communicator connect(
            Transport transport, long generation, List<PeerAddress> peers, int floatsMax, Duration deadline) {
        int myRank = -1;
        for (int i = 0; i < peers.size(); i++) {
            myRank = peers.get(i).peerPort() == connector.peerPort() ? i : myRank;
        }
        var key = new GroupKey(new JobId("bench"), "1", new Generation(generation));
        var spec = new GroupSpec(
                key, transport, myRank, peers.size(), peers, floatsMax, new CommThresholds(16_384, 1 << 22));
        return connector.connect(spec, FORMING_TIMEOUT, () -> deadline);
    }

    @Override
    public void close() {
        connector.close();
        gloo.close();
    }
}
