package io.myolotrain.topics;

import io.myolotrain.core.sampling.AttentionMap;
import io.myolotrain.core.sampling.Content;
import io.myolotrain.core.sampling.Frame;
import io.myolotrain.core.sampling.Histogram;
import io.myolotrain.core.sampling.Histograms;
import io.myolotrain.core.sampling.Matrix;
import io.myolotrain.core.sampling.Scalars;
import io.myolotrain.core.sampling.Spans;
import io.myolotrain.schemas.avro.Collective;
import io.myolotrain.schemas.avro.CollectiveOperation;
import io.myolotrain.schemas.avro.Scalar;
import io.myolotrain.schemas.avro.Span;
import io.myolotrain.schemas.avro.SpanPhase;
import java.util.ArrayList;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecordBase;

/** Every {@link Content}, one record each; frames are the same records in metric-samples and in metric-frames. */
final class ContentMapping {
    static final BodyMapping<Content> BODIES = new BodyMapping<Content>()
            .pair(
                    Scalars.class,
                    io.myolotrain.schemas.avro.Scalars.class,
                    ContentMapping::scalars,
                    ContentMapping::scalars)
            .pair(
                    Histograms.class,
                    io.myolotrain.schemas.avro.Histograms.class,
                    ContentMapping::histograms,
                    ContentMapping::histograms)
            .pair(
                    Matrix.class,
                    io.myolotrain.schemas.avro.Matrix.class,
                    c -> new io.myolotrain.schemas.avro.Matrix(c.name(), c.rows(), c.columns(), c.values()),
                    a -> new Matrix(a.getName(), a.getRows(), a.getColumns(), a.getValues()))
            .pair(Spans.class, io.myolotrain.schemas.avro.Spans.class, ContentMapping::spans, ContentMapping::spans)
            .pair(
                    AttentionMap.class,
                    io.myolotrain.schemas.avro.AttentionMap.class,
                    c -> new io.myolotrain.schemas.avro.AttentionMap(
                            c.name(),
                            c.request(),
                            c.layer(),
                            c.head(),
                            c.positions(),
                            c.tokens(),
                            c.cell(),
                            c.weights()),
                    a -> new AttentionMap(
                            a.getName(),
                            a.getRequest(),
                            a.getLayer(),
                            a.getHead(),
                            a.getPositions(),
                            a.getTokens(),
                            a.getCell(),
                            a.getWeights()));

    private ContentMapping() {}

    static Frame frame(SpecificRecordBase body) {
        if (BODIES.fromAvro(body) instanceof Frame frame) {
            return frame;
        }
        throw new IllegalArgumentException(
                "a frame must not be single values: body=" + body.getSchema().getName());
    }

    private static io.myolotrain.schemas.avro.Scalars scalars(Scalars scalars) {
        var values = new ArrayList<Scalar>(scalars.values().size());
        scalars.values().forEach(s -> values.add(new Scalar(s.name(), s.value())));
        return new io.myolotrain.schemas.avro.Scalars(values);
    }

    private static Scalars scalars(io.myolotrain.schemas.avro.Scalars record) {
        var values = new ArrayList<Scalars.Scalar>(record.getValues().size());
        record.getValues().forEach(s -> values.add(new Scalars.Scalar(s.getName(), s.getValue())));
        return new Scalars(values);
    }

    private static io.myolotrain.schemas.avro.Histograms histograms(Histograms frame) {
        var layers = new ArrayList<io.myolotrain.schemas.avro.Histogram>(
                frame.layers().size());
        frame.layers()
                .forEach(h -> layers.add(new io.myolotrain.schemas.avro.Histogram(
                        h.layer(),
                        h.firstBucket(),
                        h.counts(),
                        h.zeros(),
                        h.nans(),
                        h.positiveInfinities(),
                        h.negativeInfinities(),
                        h.maxMagnitude(),
                        Double.isNaN(h.sumOfSquares()) ? null : h.sumOfSquares())));
        return new io.myolotrain.schemas.avro.Histograms(frame.name(), layers);
    }

    private static Histograms histograms(io.myolotrain.schemas.avro.Histograms record) {
        var layers = new ArrayList<Histogram>(record.getLayers().size());
        record.getLayers()
                .forEach(h -> layers.add(new Histogram(
                        h.getLayer(),
                        h.getFirstBucket(),
                        h.getCounts(),
                        h.getZeros(),
                        h.getNans(),
                        h.getPositiveInfinities(),
                        h.getNegativeInfinities(),
                        h.getMaxMagnitude(),
                        h.getSumOfSquares() == null ? Double.NaN : h.getSumOfSquares())));
        return new Histograms(record.getName(), layers);
    }

    private static io.myolotrain.schemas.avro.Spans spans(Spans frame) {
        var spans = new ArrayList<Span>(frame.spans().size());
        frame.spans()
                .forEach(s -> spans.add(new Span(
                        Symbols.toAvro(SpanPhase.class, s.phase()),
                        s.beginMicros(),
                        s.endMicros(),
                        s.collective()
                                .map(c -> new Collective(
                                        Symbols.toAvro(CollectiveOperation.class, c.operation()),
                                        c.sequence(),
                                        c.bytes()))
                                .orElse(null))));
        return new io.myolotrain.schemas.avro.Spans(frame.name(), frame.baseAtMicros(), spans);
    }

    private static Spans spans(io.myolotrain.schemas.avro.Spans record) {
        var spans = new ArrayList<Spans.Span>(record.getSpans().size());
        record.getSpans()
                .forEach(s -> spans.add(new Spans.Span(
                        Symbols.toCore(Spans.Phase.class, s.getPhase()),
                        s.getBeginMicros(),
                        s.getEndMicros(),
                        Optional.ofNullable(s.getCollective())
                                .map(c -> new Spans.Collective(
                                        Symbols.toCore(Spans.Operation.class, c.getOperation()),
                                        c.getSequence(),
                                        c.getBytes())))));
        return new Spans(record.getName(), record.getBaseAtMicros(), spans);
    }
}
