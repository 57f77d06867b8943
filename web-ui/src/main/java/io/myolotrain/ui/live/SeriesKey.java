package io.myolotrain.ui.live;

import java.util.Comparator;

/** @param attempt submission of the job: a job id that is used again starts new series */
public record SeriesKey(String job, String attempt, String name) implements Comparable<SeriesKey> {
    private static final Comparator<SeriesKey> ORDER = Comparator.comparing(SeriesKey::job)
            .thenComparing(SeriesKey::attempt)
            .thenComparing(SeriesKey::name);

    @Override
    public int compareTo(SeriesKey other) {
        return ORDER.compare(this, other);
    }
}
