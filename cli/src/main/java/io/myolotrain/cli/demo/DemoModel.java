package io.myolotrain.cli.demo;

import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.TrainingConfig;
import java.nio.file.Path;
import java.util.UUID;

/** A GPT that two CPU cores teach something in a minute: 0.9 million parameters on bytes of text. */
final class DemoModel {
    private static final ModelShape SHAPE = new ModelShape(ModelShape.Family.GPT, 4, 128, 4, 128, 256, 1, 0.0);
    private static final int MICRO_BATCH = 4;
    private static final int GLOBAL_BATCH = 32;

    private DemoModel() {}

    static JobSpec spec(PoolId pool, Path data, int workers, long steps) {
        return new JobSpec(
                new JobId(DemoJob.NAME),
                pool,
                UUID.randomUUID().toString(),
                SHAPE,
                1,
                MICRO_BATCH,
                data.toString(),
                JobSpec.Transport.AUTO,
                2,
                config(workers, steps));
    }

    private static TrainingConfig config(int workers, long steps) {
        return new TrainingConfig(
                workers,
                GLOBAL_BATCH,
                1e-3,
                1e-4,
                TrainingConfig.Schedule.COSINE,
                100,
                steps,
                0.1,
                0.9,
                0.95,
                1e-8,
                1.0,
                TrainingConfig.Precision.FLOAT32,
                100,
                100,
                steps,
                TrainingConfig.RunState.RUNNING);
    }
}
