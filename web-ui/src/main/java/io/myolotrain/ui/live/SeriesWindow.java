package io.myolotrain.ui.live;

import java.util.List;

/**
 * What a chart draws of a series.
 *
 * @param bucketSteps steps that one bucket may cover; 1 = every reading
 * @param readings readings ever added, over the whole series
 * @param firstNonFiniteStep -1 when every reading was finite
 * @param main the line, by step
 * @param abandoned readings of steps that a later generation ran again, in order of arrival
 */
record SeriesWindow(
        long bucketSteps,
        long readings,
        long nonFinite,
        long firstNonFiniteStep,
        List<Bucket> main,
        List<Bucket> abandoned) {
    static final SeriesWindow EMPTY = new SeriesWindow(1, 0, 0, -1, List.of(), List.of());
}
