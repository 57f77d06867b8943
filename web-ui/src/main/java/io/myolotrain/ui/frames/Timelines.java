package io.myolotrain.ui.frames;

import io.myolotrain.core.sampling.Spans.Operation;
import io.myolotrain.core.sampling.Spans.Phase;
import io.myolotrain.core.sampling.Spans.Span;
import io.myolotrain.ui.frames.SpanTrack.RankStep;
import io.myolotrain.ui.frames.Timeline.Bar;
import io.myolotrain.ui.frames.Timeline.Lane;
import io.myolotrain.ui.frames.Timeline.Slowest;
import io.myolotrain.ui.frames.Timeline.Step;
import io.myolotrain.ui.frames.Timeline.Straggler;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes a timeline of steps and finds who waited for whom. Works on the ranks' clocks: of one host they are one. */
final class Timelines {
    private static final Set<Phase> COMPUTATION =
            EnumSet.of(Phase.DATA, Phase.FORWARD, Phase.BACKWARD, Phase.OPTIMIZER, Phase.VALIDATION, Phase.CHECKPOINT);
    private static final Set<Phase> COMMUNICATION = EnumSet.of(Phase.ALL_REDUCE, Phase.ALL_GATHER, Phase.COMMIT);

    /** Ranks never arrive at the very same time: who costs less of the steps' time than this is not worth a name. */
    private static final double WAITED_SHARE_MIN = 0.01;

    private static final int STRAGGLERS_MAX = 3;

    private Timelines() {}

    private record Interval(long begin, long end) {}

    private record CollectiveKey(long generation, Operation operation, long sequence)
            implements Comparable<CollectiveKey> {
        private static final Comparator<CollectiveKey> ORDER = Comparator.comparingLong(CollectiveKey::generation)
                .thenComparing(CollectiveKey::operation)
                .thenComparingLong(CollectiveKey::sequence);

        @Override
        public int compareTo(CollectiveKey other) {
            return ORDER.compare(this, other);
        }
    }

    private record Arrival(RankStep by, long step, long begin, long end, long bytes) {}

    /** What one rank did, summed up. */
    private static final class Sums {
        final String worker;
        long stepMicros;
        long communication;
        long exposed;
        int late;
        long lateSum;

        Sums(String worker) {
            this.worker = worker;
        }
    }

    static Timeline of(SortedMap<Long, SortedMap<Integer, RankStep>> window, long firstKept, long lastKept) {
        var sums = new TreeMap<Integer, Sums>();
        var collectives = new TreeMap<CollectiveKey, List<Arrival>>();
        long begin = Long.MAX_VALUE;
        long end = Long.MIN_VALUE;
        for (var ranks : window.values()) {
            for (RankStep rank : ranks.values()) {
                for (Span span : rank.spans().spans()) {
                    begin = Math.min(begin, rank.baseAtMicros() + span.beginMicros());
                    end = Math.max(end, rank.baseAtMicros() + span.endMicros());
                }
            }
        }
        if (begin > end) {
            return new Timeline(firstKept, lastKept, List.of(), 0, 0, List.of(), List.of(), 0, List.of(), null);
        }
        var steps = new ArrayList<Step>();
        var bars = new ArrayList<Bar>();
        long from = begin;
        window.forEach((step, ranks) -> {
            long stepBegin = Long.MAX_VALUE;
            long stepEnd = Long.MIN_VALUE;
            for (RankStep rank : ranks.values()) {
                Sums of = sums.computeIfAbsent(rank.rank(), r -> new Sums(rank.worker()));
                sum(of, rank);
                for (Span span : rank.spans().spans()) {
                    stepBegin = Math.min(stepBegin, rank.baseAtMicros() + Math.max(0, span.beginMicros()));
                    stepEnd = Math.max(stepEnd, rank.baseAtMicros() + span.endMicros());
                    span.collective().ifPresent(c -> collectives
                            .computeIfAbsent(
                                    new CollectiveKey(rank.generation(), c.operation(), c.sequence()),
                                    k -> new ArrayList<>())
                            .add(new Arrival(
                                    rank,
                                    step,
                                    rank.baseAtMicros() + span.beginMicros(),
                                    rank.baseAtMicros() + span.endMicros(),
                                    c.bytes())));
                }
            }
            if (stepEnd >= stepBegin) {
                long generation = ranks.values().iterator().next().generation();
                steps.add(new Step(step, generation, stepBegin - from, stepEnd - from));
            }
        });
        var lanes = new HashMap<Integer, Integer>();
        sums.keySet().forEach(rank -> lanes.put(rank, lanes.size()));
        window.forEach((step, ranks) -> {
            for (RankStep rank : ranks.values()) {
                int lane = lanes.getOrDefault(rank.rank(), 0);
                for (Span span : rank.spans().spans()) {
                    bars.add(bar(lane, step, rank.baseAtMicros() - from, span));
                }
            }
        });
        int common = late(sums, collectives);
        return new Timeline(
                firstKept,
                lastKept,
                steps,
                begin,
                end,
                sums.entrySet().stream()
                        .map(e -> lane(e.getKey(), e.getValue()))
                        .toList(),
                bars,
                common,
                stragglers(sums, common, steps),
                slowest(collectives));
    }

    private static Bar bar(int lane, long step, long offset, Span span) {
        return new Bar(
                lane,
                step,
                span.phase().name(),
                offset + span.beginMicros(),
                offset + span.endMicros(),
                span.collective().map(c -> c.operation().name()).orElse(null),
                span.collective().map(c -> c.sequence()).orElse(null),
                span.collective().map(c -> c.bytes()).orElse(null));
    }

    private static Lane lane(int rank, Sums of) {
        return new Lane(
                rank,
                of.worker,
                of.stepMicros,
                of.communication,
                of.exposed,
                of.stepMicros == 0 ? 0 : of.exposed / (double) of.stepMicros,
                of.late,
                of.late == 0 ? 0 : of.lateSum / of.late);
    }

    private static void sum(Sums of, RankStep rank) {
        var computing = new ArrayList<Interval>();
        var communicating = new ArrayList<Interval>();
        long begin = Long.MAX_VALUE;
        long end = Long.MIN_VALUE;
        for (Span span : rank.spans().spans()) {
            var interval = new Interval(Math.max(0, span.beginMicros()), Math.max(0, span.endMicros()));
            if (span.phase() != Phase.WAIT) {
                begin = Math.min(begin, interval.begin);
                end = Math.max(end, interval.end);
            }
            if (COMPUTATION.contains(span.phase())) {
                computing.add(interval);
            } else if (COMMUNICATION.contains(span.phase())) {
                communicating.add(interval);
            }
        }
        List<Interval> busy = union(computing);
        List<Interval> talking = union(communicating);
        of.stepMicros += Math.max(0, end - begin);
        long communication = length(talking);
        of.communication += communication;
        of.exposed += communication - length(intersection(talking, busy));
    }

    /** Counts who came last to each collective that more than one rank took part in. */
    private static int late(SortedMap<Integer, Sums> sums, SortedMap<CollectiveKey, List<Arrival>> collectives) {
        int common = 0;
        for (List<Arrival> arrivals : collectives.values()) {
            if (arrivals.size() < 2) {
                continue;
            }
            common++;
            Arrival last = last(arrivals);
            long first = arrivals.stream().mapToLong(Arrival::begin).min().orElseThrow();
            Sums of = sums.get(last.by.rank());
            if (of != null && last.begin > first) { // who comes with the first is not late
                of.late++;
                of.lateSum += last.begin - first;
            }
        }
        return common;
    }

    private static List<Straggler> stragglers(SortedMap<Integer, Sums> sums, int common, List<Step> steps) {
        double time = steps.stream()
                .mapToLong(step -> step.endMicros() - step.beginMicros())
                .sum();
        return sums.entrySet().stream()
                .filter(e -> e.getValue().lateSum > WAITED_SHARE_MIN * time)
                .sorted(Comparator.comparingLong(e -> -e.getValue().lateSum))
                .limit(STRAGGLERS_MAX)
                .map(e -> straggler(e.getKey(), e.getValue(), common, time))
                .toList();
    }

    private static Straggler straggler(int rank, Sums of, int common, double time) {
        return new Straggler(rank, of.worker, of.late / (double) common, of.lateSum / of.late, of.lateSum / time);
    }

    private static @Nullable Slowest slowest(SortedMap<CollectiveKey, List<Arrival>> collectives) {
        Slowest slowest = null;
        for (var entry : collectives.entrySet()) {
            List<Arrival> arrivals = entry.getValue();
            Arrival last = last(arrivals);
            long end = arrivals.stream().mapToLong(Arrival::end).max().orElseThrow();
            long first = arrivals.stream().mapToLong(Arrival::begin).min().orElseThrow();
            long micros = end - last.begin;
            if (slowest == null || micros > slowest.micros()) {
                slowest = new Slowest(
                        entry.getKey().operation.name(),
                        entry.getKey().sequence,
                        last.step,
                        arrivals.stream().mapToLong(Arrival::bytes).max().orElse(0),
                        micros,
                        last.begin - first,
                        last.by.rank(),
                        last.by.worker());
            }
        }
        return slowest;
    }

    private static Arrival last(List<Arrival> arrivals) {
        return arrivals.stream().max(Comparator.comparingLong(Arrival::begin)).orElseThrow();
    }

    private static List<Interval> union(List<Interval> intervals) {
        var sorted = new ArrayList<>(intervals);
        sorted.sort(Comparator.comparingLong(Interval::begin));
        var union = new ArrayList<Interval>();
        for (Interval next : sorted) {
            int end = union.size() - 1;
            if (end >= 0 && next.begin <= union.get(end).end) {
                Interval held = union.get(end);
                union.set(end, new Interval(held.begin, Math.max(held.end, next.end)));
            } else {
                union.add(next);
            }
        }
        return union;
    }

    private static List<Interval> intersection(List<Interval> one, List<Interval> other) {
        var both = new ArrayList<Interval>();
        int i = 0;
        int j = 0;
        while (i < one.size() && j < other.size()) {
            long begin = Math.max(one.get(i).begin, other.get(j).begin);
            long end = Math.min(one.get(i).end, other.get(j).end);
            if (begin < end) {
                both.add(new Interval(begin, end));
            }
            if (one.get(i).end < other.get(j).end) {
                i++;
            } else {
                j++;
            }
        }
        return both;
    }

    private static long length(List<Interval> intervals) {
        return intervals.stream().mapToLong(i -> i.end - i.begin).sum();
    }
}
