package io.myolotrain.coordinator;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;

/**
 * Lets each event id of one pool pass once, within the last {@code capacity} ids. Identity is the id that the producer
 * chose, never an offset: offsets start again when a topic is made anew, and a retried send has two of them.
 *
 * <p>Ids are numbered as they pass. Whoever keeps them writes id number {@code n} at slot {@code n mod capacity}, so that
 * what is kept is bounded too.
 */
final class Deduplication {
    private final int capacity;
    private final Set<String> known = new HashSet<>();
    private final Deque<String> oldestFirst = new ArrayDeque<>();
    private long next;

    Deduplication(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("remembered ids must be >= 1: capacity=" + capacity);
        }
        this.capacity = capacity;
    }

    /** @param kept ids by number, as kept before; more than the capacity keeps the newest */
    static Deduplication recalled(int capacity, SortedMap<Long, String> kept) {
        var memory = new Deduplication(capacity);
        kept.forEach((number, id) -> {
            memory.next = number;
            memory.remember(id);
        });
        return memory;
    }

    /** Number of a new id, or empty when the id has passed before. */
    OptionalLong remember(String id) {
        if (!known.add(id)) {
            return OptionalLong.empty();
        }
        oldestFirst.addLast(id);
        if (oldestFirst.size() > capacity) {
            known.remove(oldestFirst.removeFirst());
        }
        return OptionalLong.of(next++);
    }

    long slot(long number) {
        return number % capacity;
    }
}
