package io.myolotrain.ui.live;

import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.ui.port.ClusterFeed.Place;
import io.myolotrain.ui.port.LogArchive;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How the pool was at any journal offset. Keeps a state now and then and folds the decisions after it again, read from their
 * topic. States are immutable and share what did not change between them, so that one costs little; when there are too many,
 * every other one is forgotten.
 */
public final class PastStates {
    static final int SNAPSHOTS_MAX = 512;
    private static final int SPACING_FIRST = 64;

    private final List<Snapshot> snapshots = new ArrayList<>();
    private int spacing = SPACING_FIRST; // decisions from one snapshot to the next
    private int sinceLast;
    private @Nullable Snapshot first; // the oldest decision that is known; its state is not looked at
    private @Nullable Snapshot newest;

    /** Of all that are in memory so many are kept in a file: there they share nothing. */
    static final int KEPT_MAX = 16;

    private record Snapshot(long offset, long atMs, ClusterState state, Place place) {
        Kept.Moment moment() {
            return new Kept.Moment(offset, atMs, place);
        }
    }

    /**
     * Where to start folding.
     *
     * @param atMs of the state's last decision, 0 for the empty state
     * @param fromTopicOffset first record to read
     * @param toTopicOffset record after the last that can matter
     */
    public record Start(ClusterState state, long atMs, int partition, long fromTopicOffset, long toTopicOffset) {}

    /** @param last decision that was applied, null when the state was kept as it is or there is none */
    public record Refolded(
            ClusterState state, long atMs, @Nullable Decision last) {}

    void add(Decision decision, ClusterState state, Place place) {
        var now = new Snapshot(decision.offset(), decision.atMs(), state, place);
        newest = now;
        if (first == null) {
            first = now;
        }
        if (++sinceLast < spacing) {
            return;
        }
        sinceLast = 0;
        snapshots.add(now);
        if (snapshots.size() > SNAPSHOTS_MAX) {
            spacing *= 2;
            var kept = new ArrayList<Snapshot>();
            for (int i = 1; i < snapshots.size(); i += 2) {
                kept.add(snapshots.get(i));
            }
            snapshots.clear();
            snapshots.addAll(kept);
        }
    }

    /** Evenly spread; what lies between is folded again. */
    Kept.Past kept() {
        Snapshot begin = Objects.requireNonNull(first);
        Snapshot end = Objects.requireNonNull(newest);
        int every = Math.max(1, (snapshots.size() + KEPT_MAX - 1) / KEPT_MAX);
        var moments = new ArrayList<Kept.Snapshot>();
        for (int i = every - 1; i < snapshots.size(); i += every) {
            Snapshot of = snapshots.get(i);
            moments.add(new Kept.Snapshot(of.moment(), of.state));
        }
        return new Kept.Past(begin.moment(), end.moment(), moments);
    }

    /** @param now the state of the newest decision */
    void restore(Kept.Past kept, ClusterState now) {
        first = restored(kept.first(), ClusterState.empty(now.pool()));
        newest = restored(kept.newest(), now);
        kept.moments().forEach(of -> snapshots.add(restored(of.moment(), of.state())));
    }

    private static Snapshot restored(Kept.Moment moment, ClusterState state) {
        return new Snapshot(moment.offset(), moment.atMs(), state, moment.place());
    }

    void clear() {
        snapshots.clear();
        spacing = SPACING_FIRST;
        sinceLast = 0;
        first = null;
        newest = null;
    }

    int size() {
        return snapshots.size();
    }

    PastView.Extent extent() {
        Snapshot from = first;
        Snapshot to = newest;
        return from == null || to == null
                ? PastView.Extent.NOTHING
                : new PastView.Extent(from.offset, to.offset, from.atMs, to.atMs);
    }

    @Nullable Start start(long offset, ClusterState empty) {
        Snapshot begin = first;
        Snapshot end = newest;
        if (begin == null || end == null) {
            return null;
        }
        Snapshot before = null;
        Snapshot after = end;
        for (Snapshot snapshot : snapshots) {
            if (snapshot.offset <= offset) {
                before = snapshot;
            } else {
                after = snapshot;
                break;
            }
        }
        long until = after.place.offset() + 1;
        return before == null
                ? new Start(empty, 0, begin.place.partition(), begin.place.offset(), until)
                : new Start(before.state, before.atMs, before.place.partition(), before.place.offset() + 1, until);
    }

    /** Folds on from the start; on the archive's thread. */
    public static Refolded refold(LogArchive.Records records, Start start, long offset) {
        ClusterState state = start.state;
        String pool = state.pool().value();
        long atMs = start.atMs;
        Decision last = null;
        for (LogArchive.Line line :
                records.read(LogArchive.Log.DECISIONS, start.partition, start.fromTopicOffset, start.toTopicOffset)) {
            if (line.entry() instanceof LogArchive.Decided decided && line.key().equals(pool)) {
                Decision decision = decided.decision();
                if (decision.offset() > offset) {
                    break;
                }
                state = state.apply(decision);
                atMs = decision.atMs();
                last = decision;
            }
        }
        return new Refolded(state, atMs, last);
    }
}
