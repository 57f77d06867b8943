package io.myolotrain.worker.comm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** LibTorch's Gloo groups over rank 0's store: one for all ranks, one more for the members when some ranks leave. */
final class GlooTransport implements GroupTransport {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final GroupSpec spec;
    private final GlooEndpoint endpoint;
    private final List<GlooGroup> groups = new ArrayList<>();

    GlooTransport(GroupSpec spec, GlooEndpoint endpoint) {
        this.spec = spec;
        this.endpoint = endpoint;
    }

    /** A number that makes the keys of this attempt differ from those of an earlier one of the same group. */
    @Override
    public byte[] offer() {
        return ByteBuffer.allocate(Long.BYTES).putLong(RANDOM.nextLong()).array();
    }

    @Override
    public void join(byte[] offer, Duration timeout) throws IOException {
        PeerAddress leader = spec.peers().get(0);
        if (offer.length != Long.BYTES || leader.storePort() == 0) {
            throw new IOException("rank 0 must offer a Gloo store: worker=" + leader.worker() + " storePort="
                    + leader.storePort() + " offerBytes=" + offer.length);
        }
        String name = spec.key() + "/" + Long.toHexString(ByteBuffer.wrap(offer).getLong());
        try {
            groups.add(endpoint.join(
                    leader.address(), leader.storePort(), name + "/all", spec.rank(), spec.worldSize(), timeout));
            if (spec.members() < spec.worldSize() && spec.rank() < spec.members()) {
                groups.add(endpoint.join(
                        leader.address(), leader.storePort(), name + "/members", spec.rank(), spec.members(), timeout));
            }
        } catch (RuntimeException e) { // what C++ throws
            throw new IOException("Gloo did not connect: " + firstLine(e), e);
        }
    }

    static String firstLine(RuntimeException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("no message");
    }

    @Override
    public void joined() {}

    @Override
    public Communicator communicator(PeerLinks links, Supplier<Duration> deadline) {
        var health = new GroupHealth(links, deadline, () -> groups.forEach(GlooGroup::closeGently));
        return new GlooCommunicator(health, groups, 0, spec);
    }

    @Override
    public void discard() {
        groups.forEach(GlooGroup::close);
    }
}
