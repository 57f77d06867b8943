package io.myolotrain.ui.live;

import io.myolotrain.ui.port.LogArchive.Extent;
import io.myolotrain.ui.port.LogArchive.Line;
import io.myolotrain.ui.port.LogArchive.Log;
import io.myolotrain.ui.port.LogArchive.Records;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A page of a log over one or all partitions, oldest first from an offset or a time on, or newest first. Rows of several
 * partitions are in the order of the broker's clock.
 *
 * @param next by partition: where the next page starts (oldest first) or ends (newest first); empty when there is none
 * @param scanned records that were read for this page; when {@code exhausted} is false and rows are few, asking for the next
 *     page searches on
 * @param outside partitions whose kept range does not hold the offset that was asked for
 */
public record LogPage(
        List<LogRow> rows,
        List<Extent> extents,
        SortedMap<Integer, Long> next,
        long scanned,
        boolean exhausted,
        List<Extent> outside) {
    static final int SCANNED_MAX = 20_000; // per page; a search goes on with the next one
    private static final int CHUNK = 500;
    private static final Comparator<Line> BY_TIME = Comparator.comparingLong(Line::atMs)
            .thenComparingInt(Line::partition)
            .thenComparingLong(Line::offset);

    /**
     * What is asked for.
     *
     * @param partition null = all
     * @param fromOffset in each partition; null = not by offset
     * @param sinceMs broker's clock; null = not by time
     * @param cursor where the page before ended, else empty
     * @param only kind of row, empty = all
     */
    public record Query(
            Log log,
            @Nullable Integer partition,
            @Nullable Long fromOffset,
            @Nullable Long sinceMs,
            SortedMap<Integer, Long> cursor,
            String text,
            String job,
            String only,
            boolean steps,
            int limit) {

        boolean oldestFirst() {
            return fromOffset != null || sinceMs != null;
        }

        boolean wants(LogRow row) {
            return row.concerns(job)
                    && (only.isEmpty() || row.kind().equals(only))
                    && (steps
                            || !only.isEmpty()
                            || !(row.kind().equals("step") || row.kind().equals("nothing")))
                    && row.mentions(text.toLowerCase(Locale.ROOT));
        }
    }

    /** On the archive's thread. */
    public static LogPage read(Records records, Query query) {
        List<Extent> extents = records.extents(query.log).stream()
                .filter(e -> query.partition == null || e.partition() == query.partition)
                .toList();
        var outside = new ArrayList<Extent>();
        var scans = new ArrayList<Scan>();
        for (Extent extent : extents) {
            scans.add(new Scan(records, query, extent, start(records, query, extent, outside)));
        }
        long scanned = 0;
        boolean going = true;
        while (going && scanned < SCANNED_MAX) {
            going = false;
            for (Scan scan : scans) {
                if (!scan.satisfied()) {
                    scanned += scan.step();
                    going |= !scan.satisfied();
                }
            }
        }
        return merged(query, extents, scans, scanned, outside);
    }

    private static long start(Records records, Query query, Extent extent, List<Extent> outside) {
        Long at = query.cursor.get(extent.partition());
        if (at != null) {
            return Math.max(extent.first(), Math.min(extent.end(), at));
        }
        if (query.fromOffset != null) {
            if (query.fromOffset < extent.first() || query.fromOffset > extent.end()) {
                outside.add(extent);
            }
            return Math.max(extent.first(), Math.min(extent.end(), query.fromOffset));
        }
        return query.sinceMs != null
                ? records.firstSince(query.log, extent.partition(), query.sinceMs)
                : query.cursor.isEmpty() ? extent.end() : extent.first();
    }

    private static LogPage merged(
            Query query, List<Extent> extents, List<Scan> scans, long scanned, List<Extent> outside) {
        var all = new ArrayList<Found>();
        scans.forEach(scan -> all.addAll(scan.found));
        Comparator<Found> order = Comparator.comparing(Found::line, BY_TIME);
        all.sort(query.oldestFirst() ? order : order.reversed());
        List<Found> page = all.subList(0, Math.min(query.limit, all.size()));
        var next = new TreeMap<Integer, Long>();
        boolean more = all.size() > page.size();
        for (Scan scan : scans) {
            next.put(scan.extent.partition(), scan.nextAfter(page));
            more |= !scan.atEnd();
        }
        return new LogPage(
                page.stream().map(Found::row).toList(),
                extents,
                more ? next : Collections.emptySortedMap(),
                scanned,
                !more,
                List.copyOf(outside));
    }

    private record Found(Line line, LogRow row) {}

    /** One partition's walk. */
    private static final class Scan {
        private final Records records;
        private final Query query;
        private final Extent extent;
        private final List<Found> found = new ArrayList<>();
        private final boolean forward;
        private long at; // forward: next offset to read; backward: offset after the next to read

        Scan(Records records, Query query, Extent extent, long start) {
            this.records = records;
            this.query = query;
            this.extent = extent;
            this.forward = query.oldestFirst();
            this.at = start;
        }

        boolean atEnd() {
            return forward ? at >= extent.end() : at <= extent.first();
        }

        boolean satisfied() {
            return atEnd() || found.size() > query.limit;
        }

        /** @return offsets that were passed */
        long step() {
            long from = forward ? at : Math.max(extent.first(), at - CHUNK);
            long to = forward ? Math.min(extent.end(), at + CHUNK) : at;
            List<Line> lines = new ArrayList<>(records.read(query.log, extent.partition(), from, to));
            if (!forward) {
                Collections.reverse(lines);
            }
            for (Line line : lines) {
                LogRow row = LogRow.of(line);
                if (query.wants(row)) {
                    found.add(new Found(line, row));
                }
            }
            at = forward ? to : from;
            return to - from;
        }

        /** Where the next page goes on: after the last row of this partition that is on the page. */
        long nextAfter(List<Found> page) {
            List<Found> left = found.stream().filter(f -> !page.contains(f)).toList();
            if (!left.isEmpty()) {
                long first = left.get(0).line.offset();
                return forward ? first : first + 1;
            }
            return at;
        }
    }
}
