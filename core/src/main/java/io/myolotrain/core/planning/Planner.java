package io.myolotrain.core.planning;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobSpec.Transport;
import io.myolotrain.core.model.Mesh;
import io.myolotrain.core.model.MicroBatchRange;
import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.Plan.CommThresholds;
import io.myolotrain.core.model.Plan.Member;
import io.myolotrain.core.model.Rank;
import io.myolotrain.core.model.Refusal;
import io.myolotrain.core.model.ShardMap;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.core.training.ParameterLayout;
import io.myolotrain.core.training.ParameterLayout.Shard;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** From a request to a plan: who, in which order, which micro-batches, which shards, over what. A pure function. */
public final class Planner {
    /** Of the rules: changes whenever the same request may lead to another plan. Part of every decision. */
    public static final String VERSION = "dp-2";

    /**
     * Message sizes at which algorithms cross over between processes of one host: a one-shot exchange wins to 4 KiB, and
     * a bucket of 1 MiB is past the knee of the bandwidth curve while four of them still overlap with the backward pass.
     */
    static final CommThresholds COMM = new CommThresholds(4_096, 1 << 20);

    /** The members of the plan that the request leads to, by rank. */
    public List<WorkerInfo> members(PlanRequest request) {
        return WorkerChoice.choose(request);
    }

    /** Number of shards of a model. */
    public int shards(ModelShape model) {
        return ParameterLayout.of(model).shards().size();
    }

    public Planning plan(PlanRequest request) {
        return plan(request, ParameterLayout.of(request.spec().model()).shards());
    }

    Planning plan(PlanRequest request, List<Shard> shards) {
        List<WorkerInfo> chosen = WorkerChoice.choose(request);
        int wanted = request.config().workers();
        if (chosen.isEmpty() || (request.startsFresh() && chosen.size() < wanted)) {
            return new Planning.Refused(new Refusal(
                    "a job starts with as many workers as it wants",
                    "workers=" + wanted + " available=" + chosen.size(),
                    "start " + (wanted - chosen.size()) + " more, or ask for fewer"));
        }
        List<WorkerInfo> departing = departing(request, chosen);
        Transport transport = transport(request, chosen, departing);
        ShardMap before = request.resumeStep().isPresent()
                ? ShardMap.EMPTY
                : request.inForce().map(Plan::shardMap).orElse(ShardMap.EMPTY);
        ShardMap after =
                ShardPlacement.place(before, shards.size(), request.spec().replicas(), chosen);
        var plan = new Plan(
                request.spec().job(),
                request.spec().attempt(),
                request.generation(),
                group(request, chosen, departing, transport),
                Mesh.dataParallel(chosen.size()),
                members(request, chosen),
                departing,
                request.config(),
                request.spec(),
                after,
                transport,
                COMM,
                request.resumeStep(),
                request.reason());
        return new Planning.Planned(plan, PlanDiff.between(before, after, ids(chosen), shards));
    }

    private static List<WorkerId> ids(List<WorkerInfo> workers) {
        return workers.stream().map(w -> w.ref().id()).toList();
    }

    private static List<Member> members(PlanRequest request, List<WorkerInfo> chosen) {
        int microBatches = request.config().globalBatch() / request.spec().microBatch();
        List<MicroBatchRange> blocks = MicroBatchBlocks.of(microBatches, chosen.size());
        var members = new ArrayList<Member>(chosen.size());
        for (int rank = 0; rank < chosen.size(); rank++) {
            members.add(new Member(new Rank(rank), chosen.get(rank), blocks.get(rank)));
        }
        return members;
    }

    private static List<WorkerInfo> departing(PlanRequest request, List<WorkerInfo> chosen) {
        var staying = new TreeSet<WorkerRef>();
        chosen.forEach(worker -> staying.add(worker.ref()));
        return request.holders().stream()
                .filter(holder -> !staying.contains(holder.ref()))
                .toList();
    }

    private static Transport transport(PlanRequest request, List<WorkerInfo> chosen, List<WorkerInfo> departing) {
        Transport asked = request.spec().transport();
        if (asked != Transport.AUTO) {
            return asked;
        }
        String host = chosen.get(0).host();
        boolean oneHost = chosen.stream().allMatch(w -> w.host().equals(host))
                && departing.stream().allMatch(w -> w.host().equals(host));
        return oneHost ? Transport.SHARED_MEMORY : Transport.GLOO;
    }

    /** The ranks go on over the connections they have when nothing about them changes. */
    private static Generation group(
            PlanRequest request, List<WorkerInfo> chosen, List<WorkerInfo> departing, Transport transport) {
        if (request.inForce().isEmpty() || !request.groupIntact()) {
            return request.generation();
        }
        Plan inForce = request.inForce().get();
        List<WorkerRef> ranks = chosen.stream().map(WorkerInfo::ref).toList();
        List<WorkerRef> ranksInForce =
                inForce.members().stream().map(m -> m.worker().ref()).toList();
        boolean same =
                ranks.equals(ranksInForce) && departing.equals(inForce.departing()) && transport == inForce.transport();
        return same ? inForce.group() : request.generation();
    }
}
