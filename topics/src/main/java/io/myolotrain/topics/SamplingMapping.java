package io.myolotrain.topics;

import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.sampling.MetricPattern;
import io.myolotrain.core.sampling.SamplingPolicy;
import io.myolotrain.core.sampling.SamplingRequest;
import io.myolotrain.core.sampling.SamplingRules;
import io.myolotrain.schemas.avro.AttentionRequest;
import io.myolotrain.schemas.avro.EventHeader;
import io.myolotrain.schemas.avro.PolicyKind;
import io.myolotrain.schemas.avro.SamplingPolicyChange;
import io.myolotrain.schemas.avro.SamplingRule;
import java.util.ArrayList;

final class SamplingMapping implements AvroMapping<SamplingEvent, io.myolotrain.schemas.avro.SamplingEvent> {
    private static final OneBody BODY = new OneBody(io.myolotrain.schemas.avro.SamplingEvent.getClassSchema());

    private static final BodyMapping<SamplingRequest> BODIES = new BodyMapping<SamplingRequest>()
            .pair(
                    SamplingRequest.PolicyChange.class,
                    SamplingPolicyChange.class,
                    SamplingMapping::change,
                    SamplingMapping::change)
            .pair(
                    SamplingRequest.AttentionRequest.class,
                    AttentionRequest.class,
                    c -> new AttentionRequest(c.job().value(), c.layer(), c.head(), c.sample(), c.requestedBy()),
                    a -> new SamplingRequest.AttentionRequest(
                            new JobId(a.getJob()), a.getLayer(), a.getHead(), a.getSample(), a.getRequestedBy()));

    @Override
    public Class<io.myolotrain.schemas.avro.SamplingEvent> type() {
        return io.myolotrain.schemas.avro.SamplingEvent.class;
    }

    @Override
    public io.myolotrain.schemas.avro.SamplingEvent toAvro(SamplingEvent event) {
        Ingress.Header header = event.header();
        var record = new io.myolotrain.schemas.avro.SamplingEvent();
        record.setHeader(new EventHeader(header.eventId(), header.pool().value(), header.sender(), header.sentAtMs()));
        BODY.put(record, BODIES.toAvro(event.request()));
        return record;
    }

    @Override
    public SamplingEvent fromAvro(io.myolotrain.schemas.avro.SamplingEvent record) {
        EventHeader header = record.getHeader();
        return new SamplingEvent(
                new Ingress.Header(
                        header.getEventId(), new PoolId(header.getPool()), header.getSender(), header.getSentAtMs()),
                BODIES.fromAvro(BODY.get(record)));
    }

    private static SamplingPolicyChange change(SamplingRequest.PolicyChange change) {
        var rules = new ArrayList<SamplingRule>(change.rules().rules().size());
        for (SamplingRules.Rule rule : change.rules().rules()) {
            rules.add(new SamplingRule(rule.pattern().text(), kind(rule.policy()), every(rule.policy())));
        }
        return new SamplingPolicyChange(change.job().value(), rules, change.requestedBy());
    }

    private static PolicyKind kind(SamplingPolicy policy) {
        return policy instanceof SamplingPolicy.ByStep
                ? PolicyKind.STEP
                : policy instanceof SamplingPolicy.ByTime ? PolicyKind.TIME : PolicyKind.DEFAULT;
    }

    private static long every(SamplingPolicy policy) {
        if (policy instanceof SamplingPolicy.ByStep byStep) {
            return byStep.every();
        }
        return policy instanceof SamplingPolicy.ByTime byTime ? byTime.intervalMs() : 0;
    }

    private static SamplingRequest.PolicyChange change(SamplingPolicyChange record) {
        var rules = new ArrayList<SamplingRules.Rule>(record.getRules().size());
        for (SamplingRule rule : record.getRules()) {
            rules.add(new SamplingRules.Rule(new MetricPattern(rule.getPattern()), policy(rule)));
        }
        return new SamplingRequest.PolicyChange(
                new JobId(record.getJob()), new SamplingRules(rules), record.getRequestedBy());
    }

    private static SamplingPolicy policy(SamplingRule rule) {
        return switch (rule.getPolicy()) {
            case STEP -> new SamplingPolicy.ByStep(rule.getEvery());
            case TIME -> new SamplingPolicy.ByTime(rule.getEvery());
            case DEFAULT -> new SamplingPolicy.Default();
            case UNKNOWN ->
                throw new IllegalArgumentException("a policy must be one that this release knows: pattern="
                        + rule.getPattern() + "; upgrade the reader");
        };
    }
}
