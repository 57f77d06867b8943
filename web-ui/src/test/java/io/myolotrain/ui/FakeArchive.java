package io.myolotrain.ui;

import io.myolotrain.ui.port.LogArchive;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Logs in memory: what a test writes is what the topics hold. */
public final class FakeArchive implements LogArchive {
    private static final int PARTITIONS = 2;
    private final Map<String, List<Line>> lines = new HashMap<>(); // by log and partition
    public volatile String away = "";
    /** Offsets below are deleted, as by a retention. */
    public volatile long firstKept;

    /** @return offset of the line */
    public synchronized long write(Log log, int partition, long atMs, String key, Entry entry) {
        List<Line> of = lines.computeIfAbsent(log + "-" + partition, k -> new ArrayList<>());
        long offset = of.size();
        of.add(new Line(log, partition, offset, atMs, key, entry));
        return offset;
    }

    @Override
    public <T> CompletionStage<T> read(Function<Records, T> reading) {
        return away.isEmpty()
                ? CompletableFuture.completedFuture(reading.apply(new InMemory()))
                : CompletableFuture.failedFuture(new IllegalStateException(away));
    }

    @Override
    public void close() {}

    private final class InMemory implements Records {
        @Override
        public List<Extent> extents(Log log) {
            var extents = new ArrayList<Extent>();
            for (int p = 0; p < PARTITIONS; p++) {
                int partition = p;
                extents.add(new Extent(p, firstKept, of(log, partition).size()));
            }
            return extents;
        }

        @Override
        public long firstSince(Log log, int partition, long atMs) {
            return of(log, partition).stream()
                    .filter(l -> l.atMs() >= atMs)
                    .mapToLong(Line::offset)
                    .min()
                    .orElse(of(log, partition).size());
        }

        @Override
        public List<Line> read(Log log, int partition, long from, long to) {
            return of(log, partition).stream()
                    .filter(l -> l.offset() >= Math.max(from, firstKept) && l.offset() < to)
                    .sorted(Comparator.comparingLong(Line::offset))
                    .toList();
        }

        private List<Line> of(Log log, int partition) {
            synchronized (FakeArchive.this) {
                return List.copyOf(lines.getOrDefault(log + "-" + partition, List.of()));
            }
        }
    }
}
