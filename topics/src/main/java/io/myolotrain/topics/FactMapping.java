package io.myolotrain.topics;

import static io.myolotrain.topics.ModelMapping.refsToAvro;
import static io.myolotrain.topics.ModelMapping.refsToCore;
import static io.myolotrain.topics.ModelMapping.toAvro;
import static io.myolotrain.topics.ModelMapping.toCore;

import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.Refusal;
import io.myolotrain.schemas.avro.CheckpointRecorded;
import io.myolotrain.schemas.avro.ConfigAccepted;
import io.myolotrain.schemas.avro.FaultInjection;
import io.myolotrain.schemas.avro.GenerationBroken;
import io.myolotrain.schemas.avro.JobAccepted;
import io.myolotrain.schemas.avro.JobPhase;
import io.myolotrain.schemas.avro.PhaseChanged;
import io.myolotrain.schemas.avro.PlanActivated;
import io.myolotrain.schemas.avro.PlanIssued;
import io.myolotrain.schemas.avro.PlanWithdrawn;
import io.myolotrain.schemas.avro.ProgressRecorded;
import io.myolotrain.schemas.avro.Refused;
import io.myolotrain.schemas.avro.StaleIgnored;
import io.myolotrain.schemas.avro.TimerCleared;
import io.myolotrain.schemas.avro.TimerSet;
import io.myolotrain.schemas.avro.WorkerAdmitted;
import io.myolotrain.schemas.avro.WorkerDrainStarted;
import io.myolotrain.schemas.avro.WorkerExcluded;
import io.myolotrain.schemas.avro.WorkerHeldBack;
import io.myolotrain.schemas.avro.WorkerRemoved;
import io.myolotrain.schemas.avro.WorkersSuspected;
import java.util.ArrayList;
import java.util.TreeMap;

/** Every {@link Fact}, one record each. */
final class FactMapping {
    private static final PlanMapping PLANS = new PlanMapping();

    static final BodyMapping<Fact> BODIES = new BodyMapping<Fact>()
            .pair(Fact.Refused.class, Refused.class, FactMapping::refused, FactMapping::refused)
            .pair(
                    Fact.JobAccepted.class,
                    JobAccepted.class,
                    f -> new JobAccepted(toAvro(f.spec())),
                    a -> new Fact.JobAccepted(toCore(a.getSpec())))
            .pair(
                    Fact.ConfigAccepted.class,
                    ConfigAccepted.class,
                    f -> new ConfigAccepted(f.job().value(), f.changes(), toAvro(f.config())),
                    a -> new Fact.ConfigAccepted(
                            new JobId(a.getJob()), new TreeMap<>(a.getChanges()), toCore(a.getConfig())))
            .pair(
                    Fact.WorkerAdmitted.class,
                    WorkerAdmitted.class,
                    f -> new WorkerAdmitted(toAvro(f.worker())),
                    a -> new Fact.WorkerAdmitted(toCore(a.getWorker())))
            .pair(
                    Fact.WorkerDrainStarted.class,
                    WorkerDrainStarted.class,
                    f -> new WorkerDrainStarted(toAvro(f.worker()), f.reason()),
                    a -> new Fact.WorkerDrainStarted(toCore(a.getWorker()), a.getReason()))
            .pair(
                    Fact.WorkerRemoved.class,
                    WorkerRemoved.class,
                    f -> new WorkerRemoved(toAvro(f.worker()), f.reason(), f.deaths(), f.atMs()),
                    a -> new Fact.WorkerRemoved(toCore(a.getWorker()), a.getReason(), a.getDeaths(), a.getAtMs()))
            .pair(
                    Fact.WorkerHeldBack.class,
                    WorkerHeldBack.class,
                    f -> new WorkerHeldBack(toAvro(f.worker()), f.untilMs(), f.reason()),
                    a -> new Fact.WorkerHeldBack(toCore(a.getWorker()), a.getUntilMs(), a.getReason()))
            .pair(
                    Fact.WorkersSuspected.class,
                    WorkersSuspected.class,
                    f -> new WorkersSuspected(
                            f.job().value(),
                            f.generation().value(),
                            refsToAvro(f.heard()),
                            refsToAvro(f.suspects()),
                            f.untilMs(),
                            f.reason()),
                    a -> new Fact.WorkersSuspected(
                            new JobId(a.getJob()),
                            new Generation(a.getGeneration()),
                            refsToCore(a.getHeard()),
                            refsToCore(a.getSuspects()),
                            a.getUntilMs(),
                            a.getReason()))
            .pair(
                    Fact.PlanIssued.class,
                    PlanIssued.class,
                    f -> new PlanIssued(PLANS.toAvro(f.plan()), f.movedBytes(), f.lowerBoundBytes()),
                    a -> new Fact.PlanIssued(PLANS.fromAvro(a.getPlan()), a.getMovedBytes(), a.getLowerBoundBytes()))
            .pair(
                    Fact.PlanWithdrawn.class,
                    PlanWithdrawn.class,
                    f -> new PlanWithdrawn(f.job().value(), f.generation().value(), f.reason()),
                    a -> new Fact.PlanWithdrawn(
                            new JobId(a.getJob()), new Generation(a.getGeneration()), a.getReason()))
            .pair(
                    Fact.FaultNoted.class,
                    FaultInjection.class,
                    f -> new FaultInjection(f.fault(), f.targets(), f.detail()),
                    a -> new Fact.FaultNoted(a.getFault(), a.getTargets(), a.getDetail()))
            .pair(
                    Fact.WorkerExcluded.class,
                    WorkerExcluded.class,
                    f -> new WorkerExcluded(f.job().value(), toAvro(f.worker()), f.reason()),
                    a -> new Fact.WorkerExcluded(new JobId(a.getJob()), toCore(a.getWorker()), a.getReason()))
            .pair(
                    Fact.GenerationBroken.class,
                    GenerationBroken.class,
                    f -> new GenerationBroken(f.job().value(), f.generation().value(), f.reason()),
                    a -> new Fact.GenerationBroken(
                            new JobId(a.getJob()), new Generation(a.getGeneration()), a.getReason()))
            .pair(
                    Fact.PlanActivated.class,
                    PlanActivated.class,
                    f -> new PlanActivated(
                            f.job().value(), f.generation().value(), f.firstStep(), f.stallMicros(), f.movedBytes()),
                    a -> new Fact.PlanActivated(
                            new JobId(a.getJob()),
                            new Generation(a.getGeneration()),
                            a.getFirstStep(),
                            a.getStallMicros(),
                            a.getMovedBytes()))
            .pair(
                    Fact.ProgressRecorded.class,
                    ProgressRecorded.class,
                    f -> new ProgressRecorded(f.job().value(), f.generation().value(), f.step(), f.samples(), f.loss()),
                    a -> new Fact.ProgressRecorded(
                            new JobId(a.getJob()),
                            new Generation(a.getGeneration()),
                            a.getStep(),
                            a.getSamples(),
                            a.getLoss()))
            .pair(
                    Fact.CheckpointRecorded.class,
                    CheckpointRecorded.class,
                    f -> new CheckpointRecorded(f.job().value(), f.step(), f.directory(), f.bytes()),
                    a -> new Fact.CheckpointRecorded(
                            new JobId(a.getJob()), a.getStep(), a.getDirectory(), a.getBytes()))
            .pair(Fact.PhaseChanged.class, PhaseChanged.class, FactMapping::phaseChanged, FactMapping::phaseChanged)
            .pair(
                    Fact.StaleIgnored.class,
                    StaleIgnored.class,
                    f -> new StaleIgnored(f.subject(), f.reason()),
                    a -> new Fact.StaleIgnored(a.getSubject(), a.getReason()))
            .pair(
                    Fact.TimerSet.class,
                    TimerSet.class,
                    f -> new TimerSet(f.timer(), f.dueMs()),
                    a -> new Fact.TimerSet(a.getTimer(), a.getDueMs()))
            .pair(
                    Fact.TimerCleared.class,
                    TimerCleared.class,
                    f -> new TimerCleared(f.timer()),
                    a -> new Fact.TimerCleared(a.getTimer()));

    private FactMapping() {}

    private static Refused refused(Fact.Refused fact) {
        var refusals = new ArrayList<io.myolotrain.schemas.avro.Refusal>(
                fact.refusals().size());
        fact.refusals()
                .forEach(r -> refusals.add(new io.myolotrain.schemas.avro.Refusal(r.rule(), r.value(), r.nextStep())));
        return new Refused(fact.subject(), refusals);
    }

    private static Fact.Refused refused(Refused record) {
        var refusals = new ArrayList<Refusal>(record.getRefusals().size());
        record.getRefusals().forEach(r -> refusals.add(new Refusal(r.getRule(), r.getValue(), r.getNextStep())));
        return new Fact.Refused(record.getSubject(), refusals);
    }

    private static PhaseChanged phaseChanged(Fact.PhaseChanged fact) {
        return new PhaseChanged(
                fact.job().value(),
                Symbols.toAvro(JobPhase.class, fact.from()),
                Symbols.toAvro(JobPhase.class, fact.to()),
                fact.reason());
    }

    private static Fact.PhaseChanged phaseChanged(PhaseChanged record) {
        return new Fact.PhaseChanged(
                new JobId(record.getJob()),
                Symbols.toCore(io.myolotrain.core.coordination.JobPhase.class, record.getFrom()),
                Symbols.toCore(io.myolotrain.core.coordination.JobPhase.class, record.getTo()),
                record.getReason());
    }
}
