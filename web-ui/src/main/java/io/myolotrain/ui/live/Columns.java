package io.myolotrain.ui.live;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Buckets by column, as a chart wants them: a null in {@code last}, {@code min} or {@code max} is a gap. */
public record Columns(
        List<Long> firstSteps,
        List<Long> steps,
        List<@Nullable Double> last,
        List<@Nullable Double> min,
        List<@Nullable Double> max,
        List<Long> nonFinite,
        List<Long> generations,
        List<Long> atMs) {

    static Columns of(List<Bucket> buckets) {
        return new Columns(
                buckets.stream().map(Bucket::firstStep).toList(),
                buckets.stream().map(Bucket::lastStep).toList(),
                column(buckets, Bucket::last),
                column(buckets, Bucket::min),
                column(buckets, Bucket::max),
                buckets.stream().map(Bucket::nonFinite).toList(),
                buckets.stream().map(Bucket::generation).toList(),
                buckets.stream().map(Bucket::atMs).toList());
    }

    private static List<@Nullable Double> column(
            List<Bucket> buckets, java.util.function.ToDoubleFunction<Bucket> value) {
        return buckets.stream().<@Nullable Double>map(value::applyAsDouble).toList();
    }
}
