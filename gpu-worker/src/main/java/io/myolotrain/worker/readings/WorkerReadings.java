package io.myolotrain.worker.readings;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.sampling.AttentionMap;
import io.myolotrain.core.sampling.Content;
import io.myolotrain.core.sampling.Histograms;
import io.myolotrain.core.sampling.Matrix;
import io.myolotrain.core.sampling.Origin;
import io.myolotrain.core.sampling.Reading;
import io.myolotrain.core.sampling.Scalars;
import io.myolotrain.core.sampling.Scalars.Scalar;
import io.myolotrain.core.training.ParameterLayout;
import io.myolotrain.worker.engine.AttentionProbe;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything that a worker reports besides the events that the coordinator needs.
 *
 * <pre>
 *   training thread:  spans, norms, histograms, head activity ──> queue ──> readings thread: encode, send
 *                                                                             └─ each second: memory, processor, network, GPUs
 * </pre>
 *
 * Called by the training thread; {@link #close} by any.
 */
public final class WorkerReadings implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(WorkerReadings.class);
    /** Under the default policy. */
    static final long HISTOGRAM_EVERY = 10;

    static final long HEAD_ACTIVITY_EVERY = 50;

    private final boolean on;
    private final Clock clock;
    private final ReadingRules rules;
    private final Schedule schedule;
    private final SpanRecorder spans = new SpanRecorder();
    private final @Nullable ReadingQueue queue;
    private final MachineReadings machine = new MachineReadings();
    private final LongAdder spentNanos = new LongAdder();
    private volatile @Nullable Origin latest;
    private @Nullable ParameterLayout layout;
    private @Nullable LayerReadings layers;
    private boolean failing;

    private WorkerReadings(@Nullable Consumer<Reading> sink, ReadingRules rules, Clock clock) {
        this.on = sink != null;
        this.clock = clock;
        this.rules = rules;
        this.schedule = new Schedule(rules);
        this.queue = sink == null ? null : new ReadingQueue(sink, this::machine);
    }

    /** @param sink called on the readings thread */
    public static WorkerReadings to(Consumer<Reading> sink, ReadingRules rules, Clock clock) {
        return new WorkerReadings(sink, rules, clock);
    }

    /** Reports nothing and measures nothing: what the readings' cost is measured against. */
    public static WorkerReadings none(ReadingRules rules, Clock clock) {
        return new WorkerReadings(null, rules, clock);
    }

    public SpanRecorder spans() {
        return spans;
    }

    public void entered(Generation generation) {
        spans.entered(generation);
    }

    /** A value that was computed anyway. */
    public void scalar(Origin origin, String name, double value) {
        offer(origin, Scalars.of(name, value));
    }

    /** The step is committed. Never throws: a reading that cannot be taken is told in the log and missing. */
    public void committed(CommittedStep step) {
        if (!on) {
            spans.forget();
            return;
        }
        long began = System.nanoTime();
        try {
            report(step);
            failing = false;
        } catch (RuntimeException e) {
            if (!failing) {
                failing = true;
                log.atWarn().addKeyValue("step", step.step()).setCause(e).log("readings of a step are missing");
            }
        }
        spentNanos.add(System.nanoTime() - began);
    }

    /** Time that the readings of committed steps have taken from training so far. Any thread. */
    public long spentNanos() {
        return spentNanos.sum();
    }

    private void report(CommittedStep step) {
        long nowMs = clock.millis();
        var origin = new Origin(step.line(), step.step(), step.worker(), step.rank(), nowMs);
        latest = origin;
        JobId job = step.line().job();
        List<Scalar> values = new ArrayList<>();
        values.add(new Scalar(Names.ALL_REDUCE_MICROS, step.allReduceNanos() / 1e3));
        values.add(new Scalar(Names.STEP_MICROS, (double) step.stepMicros()));
        // Every rank holds the same model and the same gradient: one of them speaks for all.
        if (step.rank() == 0) {
            training(step, values);
            if (step.parametersComplete()) {
                model(job, step, origin, nowMs, values);
            }
        }
        dropped(step.rank(), values);
        if (schedule.isDue(job, Names.SPANS, step.step(), nowMs, 1)) {
            long baseAtMicros = TimeUnit.MILLISECONDS.toMicros(nowMs)
                    - TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - step.startedNanos());
            offer(origin, spans.take(step.startedNanos(), baseAtMicros));
        } else {
            spans.forget();
        }
        offer(origin, new Scalars(values));
    }

    private static void training(CommittedStep step, List<Scalar> values) {
        values.add(new Scalar(Names.LOSS, step.loss()));
        values.add(new Scalar(Names.LEARNING_RATE, step.learningRate()));
        values.add(new Scalar(Names.GRADIENT_NORM, step.gradientNorm()));
        values.add(new Scalar(Names.TOKENS_PER_SECOND, step.tokens() * 1e6 / (double) step.stepMicros()));
        values.add(new Scalar(Names.SAMPLES, (double) step.samples()));
    }

    private void model(JobId job, CommittedStep step, Origin origin, long nowMs, List<Scalar> values) {
        LayerReadings readings = layersOf(step.trainer().layout());
        if (schedule.isDue(job, Names.GRADIENT_HISTOGRAM, step.step(), nowMs, HISTOGRAM_EVERY)) {
            readings.gradientNorms(step.squares(), step.gradientScale(), values);
            offer(origin, readings.histograms(Names.GRADIENT_HISTOGRAM, step.gradient(), (float) step.gradientScale()));
        }
        if (schedule.isDue(job, Names.WEIGHT_HISTOGRAM, step.step(), nowMs, HISTOGRAM_EVERY)) {
            Histograms weights =
                    readings.histograms(Names.WEIGHT_HISTOGRAM, step.trainer().parameters(), 1f);
            readings.weightNorms(weights, values);
            offer(origin, weights);
        }
        Optional<AttentionProbe> probe = step.trainer().attentionProbe();
        if (probe.isPresent()) {
            if (schedule.isDue(job, Names.ATTENTION_ENTROPY, step.step(), nowMs, HEAD_ACTIVITY_EVERY)) {
                heads(probe.get(), step, origin);
            }
            rules.nextRequest(job).ifPresent(asked -> attention(probe.get(), step, origin, asked));
        }
    }

    /** Always over the same held-out example, so that steps can be compared. */
    private void heads(AttentionProbe probe, CommittedStep step, Origin origin) {
        AttentionProbe.Activity activity = probe.activity(step.probe().tokens(0));
        offer(origin, matrix(Names.ATTENTION_ENTROPY, activity, activity.entropy()));
        offer(origin, matrix(Names.ATTENTION_LARGEST, activity, activity.largestWeight()));
        offer(origin, matrix(Names.HEAD_NORM, activity, activity.outputNorm()));
    }

    private static Matrix matrix(String name, AttentionProbe.Activity activity, float[] values) {
        List<Float> boxed = new ArrayList<>(values.length);
        for (float value : values) {
            boxed.add(value);
        }
        return new Matrix(name, activity.layers(), activity.heads(), boxed);
    }

    private void attention(AttentionProbe probe, CommittedStep step, Origin origin, ReadingRules.Asked asked) {
        var request = asked.request();
        var shape = step.trainer().layout().shape();
        if (request.layer() >= shape.layers() || request.head() >= shape.heads()) {
            log.atWarn()
                    .addKeyValue("request", asked.id())
                    .addKeyValue("layer", request.layer())
                    .addKeyValue("head", request.head())
                    .addKeyValue("layers", shape.layers())
                    .addKeyValue("heads", shape.heads())
                    .log("an attention map must be of a layer and a head that the model has");
            return;
        }
        int[] tokens = step.probe().tokens(request.sample());
        float[] square = probe.attention(tokens, request.layer(), request.head());
        offer(
                origin,
                AttentionMap.reduced(
                        Names.ATTENTION_MAP,
                        asked.id(),
                        request.layer(),
                        request.head(),
                        labels(tokens, shape.vocabulary()),
                        tokens.length,
                        square));
    }

    /** Byte-level vocabularies are text; of others the ids. */
    private static List<String> labels(int[] tokens, int vocabulary) {
        List<String> labels = new ArrayList<>(tokens.length);
        for (int token : tokens) {
            boolean printable = vocabulary == 256 && token > ' ' && token < 0x7f;
            labels.add(printable ? String.valueOf((char) token) : "#" + token);
        }
        return labels;
    }

    private LayerReadings layersOf(ParameterLayout wanted) {
        if (layers == null || !wanted.equals(layout)) {
            layout = wanted;
            layers = new LayerReadings(wanted);
        }
        return layers;
    }

    private void dropped(int rank, List<Scalar> values) {
        long dropped = queue == null ? 0 : queue.takeDropped();
        if (dropped > 0) {
            values.add(new Scalar(Names.ofRank(Names.DROPPED, rank), (double) dropped));
        }
    }

    private void machine() {
        Origin origin = latest;
        if (origin != null) {
            List<Scalar> values = machine.take(origin.rank());
            var now = new Origin(origin.line(), origin.step(), origin.worker(), origin.rank(), clock.millis());
            offer(now, new Scalars(values));
        }
    }

    private void offer(Origin origin, Content content) {
        if (queue != null) {
            queue.offer(new Reading(origin, content));
        }
    }

    /** Hands on what is waiting, within two seconds. */
    @Override
    public void close() throws InterruptedException {
        if (queue != null) {
            queue.close();
        }
        machine.close();
    }
}
