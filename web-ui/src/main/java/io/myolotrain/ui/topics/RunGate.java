package io.myolotrain.ui.topics;

import io.myolotrain.core.model.PoolId;
import io.myolotrain.topics.Topics;
import io.myolotrain.ui.port.ClusterFeed.Item;
import io.myolotrain.ui.port.ClusterFeed.Run;
import io.myolotrain.ui.port.ClusterFeed.RunClosed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lets pass what open runs measure, each record once and in the order of the log, while its past is still being read:
 *
 * <pre>
 *             ┌── past records, read from the run's begin ──────────> told
 *   a run ────┤
 *             └── new records ── wait until the past is told ───────> told, but for those that the past held too
 * </pre>
 *
 * Thread-safe. Telling may block while the lock is held, so nobody calls this from the thread that the page's items end in.
 */
final class RunGate {
    static final int RUNS_MAX = 16;
    /** New records of one run that wait for its past; with more of them the past is read once more. */
    static final int WAITING_MAX = 100_000;

    private final PoolId pool;
    private final Consumer<Item> tell;
    private final Map<Run, Opened> runs = new LinkedHashMap<>(); // opened longest ago first; guarded by this
    private volatile Set<String> keyPrefixes = Set.of();

    /** A record's place in the log. */
    record Source(String topic, int partition) {}

    private record Waiting(Source source, long offset, Item item) {}

    private static final class Opened {
        /** Offset behind the newest record told, by source: written by the readers of the past, one per topic. */
        final Map<Source, Long> told = new ConcurrentHashMap<>();

        final List<Waiting> waiting = new ArrayList<>();
        boolean pastIsTold;
        boolean tooManyWaited;
    }

    RunGate(PoolId pool, Consumer<Item> tell) {
        this.pool = pool;
        this.tell = tell;
    }

    /** Whether records with this key may belong to an open run. */
    boolean wants(String key) {
        for (String prefix : keyPrefixes) {
            if (key.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    /** @return false when the run was open already: its past is told, or being read */
    synchronized boolean open(Run run) {
        Opened known = runs.remove(run);
        runs.put(run, known == null ? new Opened() : known);
        if (runs.size() > RUNS_MAX) {
            close(runs.keySet().iterator().next());
        } else {
            listPrefixes();
        }
        return known == null;
    }

    synchronized void close(Run run) {
        if (runs.remove(run) != null) {
            tell.accept(new RunClosed(run));
        }
        listPrefixes();
    }

    /** The log was created anew. */
    synchronized void forgetAll() {
        runs.clear();
        listPrefixes();
    }

    /** A record that has just been written. */
    synchronized void live(Source source, long offset, Run run, Item item) {
        Opened opened = runs.get(run);
        if (opened == null) {
            return;
        }
        if (opened.pastIsTold) {
            tell.accept(item);
        } else if (opened.waiting.size() < WAITING_MAX) {
            opened.waiting.add(new Waiting(source, offset, item));
        } else {
            opened.tooManyWaited = true;
        }
    }

    /**
     * A record of the past.
     *
     * @return false when the run was closed meanwhile, and no more of its past is wanted
     */
    boolean past(Source source, long offset, Run run, Item item) {
        Opened opened = opened(run);
        if (opened == null) {
            return false;
        }
        tell.accept(item);
        opened.told.put(source, offset + 1);
        return true;
    }

    private synchronized @Nullable Opened opened(Run run) {
        return runs.get(run);
    }

    /**
     * The past is told up to a moment after the run was opened. Tells what waited, and {@code complete} before it.
     *
     * @return false when too much waited, and the past is to be read again
     */
    synchronized boolean pastIsTold(Run run, Item complete) {
        Opened opened = runs.get(run);
        if (opened == null) {
            return true;
        }
        if (opened.tooManyWaited) {
            close(run);
            return false;
        }
        tell.accept(complete);
        for (Waiting waiting : opened.waiting) {
            if (waiting.offset >= opened.told.getOrDefault(waiting.source, 0L)) {
                tell.accept(waiting.item);
            }
        }
        opened.waiting.clear();
        opened.pastIsTold = true;
        return true;
    }

    private void listPrefixes() {
        keyPrefixes = runs.keySet().stream()
                .map(run -> Topics.seriesKeysOf(pool, run.job()))
                .collect(Collectors.toUnmodifiableSet());
    }
}
