package io.myolotrain.core.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Where each cell of a job's grid runs from the next step boundary on. A plan names the target only; what has to move is
 * what the adopting workers do not hold yet.
 *
 * @param generation fencing number of this plan
 * @param group generation whose communicator this plan uses: equal to {@code generation} when membership changed, older
 *     when only numbers changed and the ranks go on over the connections they have
 * @param members by rank, without gaps
 * @param departing live holders of state that are not members any more: they hand over at the boundary, then stand by
 * @param transport never AUTO
 * @param resumeStep committed step at which the members start when none of them holds live state (0 = from the seed),
 *     otherwise empty: the members' own committed step decides
 * @param reason why this plan exists, for people
 */
public record Plan(
        JobId job,
        String attempt,
        Generation generation,
        Generation group,
        Mesh mesh,
        List<Member> members,
        List<WorkerInfo> departing,
        TrainingConfig config,
        JobSpec spec,
        ShardMap shardMap,
        JobSpec.Transport transport,
        CommThresholds comm,
        Optional<Long> resumeStep,
        String reason) {

    public Plan {
        members = List.copyOf(members);
        departing = List.copyOf(departing);
    }

    /** One rank: the worker that holds it and the micro-batches that it computes in each step. */
    public record Member(Rank rank, WorkerInfo worker, MicroBatchRange microBatches) {}

    /** Message sizes at which the communicator changes its algorithm; part of the plan, so part of the log. */
    public record CommThresholds(int oneShotMaxBytes, int bucketBytes) {}

    public int worldSize() {
        return members.size();
    }

    /** Micro-batches of one step, M. */
    public int microBatches() {
        return config.globalBatch() / spec.microBatch();
    }

    public Optional<Member> member(WorkerRef ref) {
        return members.stream().filter(m -> m.worker().ref().equals(ref)).findFirst();
    }

    /** The rank of each member, for lookups over many shards. */
    public SortedMap<WorkerId, Rank> ranks() {
        var ranks = new TreeMap<WorkerId, Rank>();
        members.forEach(member -> ranks.put(member.worker().ref().id(), member.rank()));
        return ranks;
    }

    /** Who takes part in the switch to this plan, by rank of the transition group: members first, then departing holders. */
    public List<WorkerInfo> participants() {
        var all = new ArrayList<WorkerInfo>(members.size() + departing.size());
        members.forEach(member -> all.add(member.worker()));
        all.addAll(departing);
        return List.copyOf(all);
    }

    /** Whether the worker takes part in the switch to this plan, as a member or to hand over state. */
    public boolean involves(WorkerRef ref) {
        return member(ref).isPresent()
                || departing.stream().anyMatch(d -> d.ref().equals(ref));
    }
}
