package io.myolotrain.ui.live;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Buckets by column, as a chart wants them: a null in {@code last}, {@code min} or {@code max} is a gap.
 *
 * @param odd by index: of which kind the readings were that are not finite, for the few buckets that hold such
 */
public record Columns(
        List<Long> firstSteps,
        List<Long> steps,
        List<@Nullable Double> last,
        List<@Nullable Double> min,
        List<@Nullable Double> max,
        List<Long> nonFinite,
        List<Long> generations,
        List<Long> atMs,
        SortedMap<Integer, String> odd) {

    static Columns of(List<Bucket> buckets) {
        var odd = new TreeMap<Integer, String>();
        for (int i = 0; i < buckets.size(); i++) {
            if (buckets.get(i).nonFinite() > 0) {
                odd.put(i, buckets.get(i).oddity().text());
            }
        }
        return new Columns(
                buckets.stream().map(Bucket::firstStep).toList(),
                buckets.stream().map(Bucket::lastStep).toList(),
                column(buckets, Bucket::last),
                column(buckets, Bucket::min),
                column(buckets, Bucket::max),
                buckets.stream().map(Bucket::nonFinite).toList(),
                buckets.stream().map(Bucket::generation).toList(),
                buckets.stream().map(Bucket::atMs).toList(),
                odd);
    }

    private static List<@Nullable Double> column(List<Bucket> buckets, ToDoubleFunction<Bucket> value) {
        return buckets.stream().<@Nullable Double>map(value::applyAsDouble).toList();
    }
}
