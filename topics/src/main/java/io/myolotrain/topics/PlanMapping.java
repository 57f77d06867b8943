package io.myolotrain.topics;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.Mesh;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.Rank;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.schemas.avro.CommThresholds;
import io.myolotrain.schemas.avro.PlanMember;
import io.myolotrain.schemas.avro.RebalancePlan;
import io.myolotrain.schemas.avro.Transport;
import java.util.ArrayList;
import java.util.Optional;

final class PlanMapping implements AvroMapping<Plan, RebalancePlan> {

    @Override
    public Class<RebalancePlan> type() {
        return RebalancePlan.class;
    }

    @Override
    public RebalancePlan toAvro(Plan plan) {
        var members = new ArrayList<PlanMember>(plan.members().size());
        for (Plan.Member member : plan.members()) {
            members.add(new PlanMember(
                    member.rank().value(),
                    ModelMapping.toAvro(member.worker()),
                    ModelMapping.toAvro(member.microBatches())));
        }
        var departing = new ArrayList<io.myolotrain.schemas.avro.WorkerInfo>(
                plan.departing().size());
        plan.departing().forEach(worker -> departing.add(ModelMapping.toAvro(worker)));
        var record = new RebalancePlan();
        record.setJob(plan.job().value());
        record.setAttempt(plan.attempt());
        record.setGeneration(plan.generation().value());
        record.setGroup(plan.group().value());
        record.setMesh(new io.myolotrain.schemas.avro.Mesh(
                plan.mesh().dp(), plan.mesh().tp(), plan.mesh().pp()));
        record.setMembers(members);
        record.setDeparting(departing);
        record.setConfig(ModelMapping.toAvro(plan.config()));
        record.setSpec(ModelMapping.toAvro(plan.spec()));
        record.setShardMap(ShardPlacementMapping.toAvro(plan.shardMap()));
        record.setTransport(Symbols.toAvro(Transport.class, plan.transport()));
        record.setComm(
                new CommThresholds(plan.comm().oneShotMaxBytes(), plan.comm().bucketBytes()));
        record.setResumeStep(plan.resumeStep().orElse(null));
        record.setReason(plan.reason());
        return record;
    }

    @Override
    public Plan fromAvro(RebalancePlan record) {
        var members = new ArrayList<Plan.Member>(record.getMembers().size());
        for (PlanMember member : record.getMembers()) {
            members.add(new Plan.Member(
                    new Rank(member.getRank()),
                    ModelMapping.toCore(member.getWorker()),
                    ModelMapping.toCore(member.getMicroBatches())));
        }
        var departing = new ArrayList<WorkerInfo>(record.getDeparting().size());
        record.getDeparting().forEach(worker -> departing.add(ModelMapping.toCore(worker)));
        return new Plan(
                new JobId(record.getJob()),
                record.getAttempt(),
                new Generation(record.getGeneration()),
                new Generation(record.getGroup()),
                new Mesh(
                        record.getMesh().getDp(),
                        record.getMesh().getTp(),
                        record.getMesh().getPp()),
                members,
                departing,
                ModelMapping.toCore(record.getConfig()),
                ModelMapping.toCore(record.getSpec()),
                ShardPlacementMapping.toCore(record.getShardMap()),
                Symbols.toCore(JobSpec.Transport.class, record.getTransport()),
                new Plan.CommThresholds(
                        record.getComm().getOneShotMaxBytes(), record.getComm().getBucketBytes()),
                Optional.ofNullable(record.getResumeStep()),
                record.getReason());
    }
}
