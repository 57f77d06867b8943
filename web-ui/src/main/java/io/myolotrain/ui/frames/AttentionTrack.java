package io.myolotrain.ui.frames;

import io.myolotrain.core.sampling.AttentionMap;
import io.myolotrain.core.sampling.Origin;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The newest attention maps. */
public final class AttentionTrack {
    static final int MAPS_MAX = 64; // ~64 KB each; the oldest is forgotten

    private final ArrayDeque<Held> maps = new ArrayDeque<>();

    private record Held(Origin origin, AttentionMap map) {}

    void add(Origin origin, AttentionMap map) {
        maps.addLast(new Held(origin, map));
        if (maps.size() > MAPS_MAX) {
            maps.removeFirst();
        }
    }

    FrameStore.Listed listed(String name) {
        return new FrameStore.Listed(
                name,
                "attention",
                maps.size(),
                maps.stream().mapToLong(h -> h.origin.step()).min().orElse(0),
                maps.stream().mapToLong(h -> h.origin.step()).max().orElse(0));
    }

    /**
     * One map.
     *
     * @param positions length of the example, padding included; 0 = an empty example
     * @param padding positions behind the last label; 0 when there are no labels
     * @param cell positions that a cell spans in each direction; the largest weight stands for all
     * @param weights query by query
     * @param known layer and head of every map that is kept, newest first
     */
    public record View(
            String request,
            long step,
            long generation,
            long atMs,
            String worker,
            int layer,
            int head,
            int positions,
            int padding,
            int cell,
            int side,
            List<String> tokens,
            List<List<Float>> weights,
            List<Known> known) {}

    public record Known(String request, long step, int layer, int head) {}

    /** @param request newest map that answers it; empty = newest map of the head; a null layer or head matches any */
    public Optional<View> view(String request, @Nullable Integer layer, @Nullable Integer head) {
        Iterator<Held> newestFirst = maps.descendingIterator();
        while (newestFirst.hasNext()) {
            Held held = newestFirst.next();
            AttentionMap map = held.map;
            if ((request.isEmpty() || map.request().equals(request))
                    && (layer == null || map.layer() == layer)
                    && (head == null || map.head() == head)) {
                return Optional.of(view(held));
            }
        }
        return Optional.empty();
    }

    private View view(Held held) {
        AttentionMap map = held.map;
        int side = map.side();
        var rows = new ArrayList<List<Float>>();
        for (int query = 0; query < side; query++) {
            rows.add(map.weights().subList(query * side, (query + 1) * side));
        }
        var known = new ArrayList<Known>();
        maps.descendingIterator()
                .forEachRemaining(
                        h -> known.add(new Known(h.map.request(), h.origin.step(), h.map.layer(), h.map.head())));
        return new View(
                map.request(),
                held.origin.step(),
                held.origin.line().generation().value(),
                held.origin.atMs(),
                held.origin.worker().value(),
                map.layer(),
                map.head(),
                map.positions(),
                map.padding(),
                map.cell(),
                side,
                map.tokens(),
                rows,
                known);
    }
}
