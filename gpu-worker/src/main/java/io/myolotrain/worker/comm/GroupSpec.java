package io.myolotrain.worker.comm;

import io.myolotrain.core.model.JobSpec.Transport;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.Plan.CommThresholds;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;

/**
 * A group to form, as one rank sees it; all but {@code rank} is the same for every rank.
 *
 * @param members ranks {@code [0, members)} train; ranks from {@code members} on only hand over state and leave
 * @param peers by rank, this rank included
 * @param floatsMax the largest buffer that is going to be reduced: sizes the exchange areas, longer ones are cut
 */
public record GroupSpec(
        GroupKey key,
        Transport transport,
        int rank,
        int members,
        List<PeerAddress> peers,
        int floatsMax,
        CommThresholds thresholds) {
    public static final int WORLD_SIZE_MAX = 256;

    public GroupSpec {
        peers = List.copyOf(peers);
        if (peers.isEmpty() || peers.size() > WORLD_SIZE_MAX) {
            throw new IllegalArgumentException(
                    "a group has 1 to " + WORLD_SIZE_MAX + " ranks: group=" + key + " ranks=" + peers.size());
        }
        if (rank < 0 || rank >= peers.size() || members < 1 || members > peers.size()) {
            throw new IllegalArgumentException("rank and members must lie within the world: group=" + key + " rank="
                    + rank + " members=" + members + " worldSize=" + peers.size());
        }
        if (floatsMax < 1) {
            throw new IllegalArgumentException("floatsMax must be >= 1: group=" + key + " floatsMax=" + floatsMax);
        }
        if (transport == Transport.SHARED_MEMORY
                && peers.stream().map(PeerAddress::host).distinct().count() > 1) {
            throw new IllegalArgumentException("ranks that share memory must share a host: group=" + key + " hosts="
                    + peers.stream().map(PeerAddress::host).distinct().toList() + "; use transport GLOO");
        }
    }

    /** The transition group of a plan: its members by rank, then the departing holders of state. */
    public static GroupSpec of(Plan plan, WorkerRef self, int floatsMax) {
        var workers = new ArrayList<WorkerInfo>();
        plan.members().forEach(member -> workers.add(member.worker()));
        workers.addAll(plan.departing());
        List<WorkerRef> refs = workers.stream().map(WorkerInfo::ref).toList();
        if (!refs.contains(self)) {
            throw new IllegalArgumentException("worker must be part of the plan: worker=" + self + " job=" + plan.job()
                    + " generation=" + plan.generation() + " workers=" + refs);
        }
        return new GroupSpec(
                new GroupKey(plan.job(), plan.attempt(), plan.group()),
                plan.transport(),
                refs.indexOf(self),
                plan.worldSize(),
                workers.stream().map(PeerAddress::of).toList(),
                floatsMax,
                plan.comm());
    }

    public int worldSize() {
        return peers.size();
    }

    /** Equal on two ranks only when they were told the same: all fields but the rank. */
    long fingerprint() {
        String text = key + "|" + transport + "|" + members + "|" + peers + "|" + floatsMax + "|" + thresholds;
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(hash).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Ranks with their workers, for people. */
    String describe(List<Integer> ranks) {
        var parts = new ArrayList<String>();
        ranks.forEach(r -> parts.add(r + " (" + peers.get(r).worker() + " at "
                + peers.get(r).address() + ":" + peers.get(r).peerPort() + ")"));
        return String.join(", ", parts);
    }
}
