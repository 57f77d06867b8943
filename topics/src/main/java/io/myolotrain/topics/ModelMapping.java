package io.myolotrain.topics;

import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.MicroBatchRange;
import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.TrainingConfig;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.schemas.avro.ModelFamily;
import io.myolotrain.schemas.avro.Precision;
import io.myolotrain.schemas.avro.RunState;
import io.myolotrain.schemas.avro.Schedule;
import io.myolotrain.schemas.avro.Transport;
import java.util.ArrayList;
import java.util.List;

/** The shared vocabulary: workers, jobs, shapes, settings. */
final class ModelMapping {
    private ModelMapping() {}

    static io.myolotrain.schemas.avro.WorkerRef toAvro(WorkerRef ref) {
        return new io.myolotrain.schemas.avro.WorkerRef(ref.id().value(), ref.incarnation());
    }

    static WorkerRef toCore(io.myolotrain.schemas.avro.WorkerRef ref) {
        return new WorkerRef(new WorkerId(ref.getWorker()), ref.getIncarnation());
    }

    static List<io.myolotrain.schemas.avro.WorkerRef> refsToAvro(List<WorkerRef> refs) {
        var mapped = new ArrayList<io.myolotrain.schemas.avro.WorkerRef>(refs.size());
        refs.forEach(ref -> mapped.add(toAvro(ref)));
        return mapped;
    }

    static List<WorkerRef> refsToCore(List<io.myolotrain.schemas.avro.WorkerRef> refs) {
        var mapped = new ArrayList<WorkerRef>(refs.size());
        refs.forEach(ref -> mapped.add(toCore(ref)));
        return mapped;
    }

    static io.myolotrain.schemas.avro.WorkerInfo toAvro(WorkerInfo worker) {
        return new io.myolotrain.schemas.avro.WorkerInfo(
                toAvro(worker.ref()),
                worker.pool().value(),
                worker.host(),
                worker.address(),
                worker.peerPort(),
                worker.storePort(),
                worker.httpPort(),
                worker.kernel(),
                worker.version());
    }

    static WorkerInfo toCore(io.myolotrain.schemas.avro.WorkerInfo worker) {
        return new WorkerInfo(
                toCore(worker.getRef()),
                new PoolId(worker.getPool()),
                worker.getHost(),
                worker.getAddress(),
                worker.getPeerPort(),
                worker.getStorePort(),
                worker.getHttpPort(),
                worker.getKernel(),
                worker.getVersion());
    }

    static io.myolotrain.schemas.avro.MicroBatchRange toAvro(MicroBatchRange range) {
        return new io.myolotrain.schemas.avro.MicroBatchRange(range.first(), range.count());
    }

    static MicroBatchRange toCore(io.myolotrain.schemas.avro.MicroBatchRange range) {
        return new MicroBatchRange(range.getFirst(), range.getCount());
    }

    static io.myolotrain.schemas.avro.ModelShape toAvro(ModelShape shape) {
        return new io.myolotrain.schemas.avro.ModelShape(
                Symbols.toAvro(ModelFamily.class, shape.family()),
                shape.layers(),
                shape.hidden(),
                shape.heads(),
                shape.sequenceLength(),
                shape.vocabulary(),
                shape.slices(),
                shape.dropout());
    }

    static ModelShape toCore(io.myolotrain.schemas.avro.ModelShape shape) {
        return new ModelShape(
                Symbols.toCore(ModelShape.Family.class, shape.getFamily()),
                shape.getLayers(),
                shape.getHidden(),
                shape.getHeads(),
                shape.getSequenceLength(),
                shape.getVocabulary(),
                shape.getSlices(),
                shape.getDropout());
    }

    static io.myolotrain.schemas.avro.TrainingConfig toAvro(TrainingConfig config) {
        return new io.myolotrain.schemas.avro.TrainingConfig(
                config.workers(),
                config.globalBatch(),
                config.learningRate(),
                config.minLearningRate(),
                Symbols.toAvro(Schedule.class, config.schedule()),
                config.warmupSteps(),
                config.scheduleEndStep(),
                config.weightDecay(),
                config.beta1(),
                config.beta2(),
                config.epsilon(),
                config.clipNorm(),
                Symbols.toAvro(Precision.class, config.precision()),
                config.checkpointEverySteps(),
                config.evalEverySteps(),
                config.maxSteps(),
                Symbols.toAvro(RunState.class, config.runState()));
    }

    static TrainingConfig toCore(io.myolotrain.schemas.avro.TrainingConfig config) {
        return new TrainingConfig(
                config.getWorkers(),
                config.getGlobalBatch(),
                config.getLearningRate(),
                config.getMinLearningRate(),
                Symbols.toCore(TrainingConfig.Schedule.class, config.getSchedule()),
                config.getWarmupSteps(),
                config.getScheduleEndStep(),
                config.getWeightDecay(),
                config.getBeta1(),
                config.getBeta2(),
                config.getEpsilon(),
                config.getClipNorm(),
                Symbols.toCore(TrainingConfig.Precision.class, config.getPrecision()),
                config.getCheckpointEverySteps(),
                config.getEvalEverySteps(),
                config.getMaxSteps(),
                Symbols.toCore(TrainingConfig.RunState.class, config.getRunState()));
    }

    static io.myolotrain.schemas.avro.JobSpec toAvro(JobSpec spec) {
        return new io.myolotrain.schemas.avro.JobSpec(
                spec.job().value(),
                spec.pool().value(),
                spec.attempt(),
                toAvro(spec.model()),
                spec.seed(),
                spec.microBatch(),
                spec.data(),
                Symbols.toAvro(Transport.class, spec.transport()),
                spec.replicas(),
                toAvro(spec.initialConfig()));
    }

    static JobSpec toCore(io.myolotrain.schemas.avro.JobSpec spec) {
        return new JobSpec(
                new JobId(spec.getJob()),
                new PoolId(spec.getPool()),
                spec.getAttempt(),
                toCore(spec.getModel()),
                spec.getSeed(),
                spec.getMicroBatch(),
                spec.getData(),
                Symbols.toCore(JobSpec.Transport.class, spec.getTransport()),
                spec.getReplicas(),
                toCore(spec.getInitialConfig()));
    }
}
