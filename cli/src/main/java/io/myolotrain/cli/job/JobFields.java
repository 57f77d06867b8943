package io.myolotrain.cli.job;

import io.myolotrain.cli.output.PlainValues;
import io.myolotrain.core.coordination.JobState;
import io.myolotrain.core.model.Plan;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A job as programs see it; part of the command's interface. */
final class JobFields {
    private JobFields() {}

    static Map<String, @Nullable Object> of(JobState job) {
        var fields = new LinkedHashMap<String, @Nullable Object>();
        fields.put("job", job.id().value());
        fields.put("phase", job.phase().name());
        fields.put("step", job.committedStep());
        fields.put("maxSteps", job.desired().maxSteps());
        fields.put("samples", job.samples());
        fields.put("loss", PlainValues.of(job.lastLoss()));
        fields.put("workers", job.active().map(Plan::worldSize).orElse(0));
        fields.put("workersWanted", job.desired().workers());
        fields.put(
                "generation",
                job.active().map(plan -> plan.generation().value()).orElse(0L));
        fields.put("config", PlainValues.of(job.desired()));
        fields.put("model", PlainValues.of(job.spec().model()));
        fields.put("data", job.spec().data());
        fields.put("seed", job.spec().seed());
        fields.put("checkpoints", PlainValues.of(job.checkpoints()));
        return fields;
    }
}
