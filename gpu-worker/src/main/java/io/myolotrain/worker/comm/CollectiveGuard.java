package io.myolotrain.worker.comm;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * The operation that a rank is in, and the decision to give it up.
 *
 * <p>A dead peer does not fail an operation by its death, only by what it left undone: what it wrote to shared memory
 * before it died stays valid. So a waiter asks first who is gone and <em>then</em> looks at that rank's flag once more.
 * Flags only grow and a dead rank writes none, so all survivors come to the same answer, in particular to "all ranks voted".
 * A rank that gives up leaves the group at once and is gone for the others, with the ranks that it blames.
 */
final class CollectiveGuard {
    /** Waits that are shorter are nobody's business. */
    private static final Duration MOMENT = Duration.ofMillis(100);

    private static final Duration LOOK = Duration.ofMillis(2);

    private final GroupHealth health;
    private final int worldSize;
    private final IntPredicate undriven;
    private String operation = "none";
    private long sequence;
    private long startNanos;

    /** @param undriven ranks of which more than their socket tells that they do nothing more */
    CollectiveGuard(GroupHealth health, int worldSize, IntPredicate undriven) {
        this.health = health;
        this.worldSize = worldSize;
        this.undriven = undriven;
    }

    void begin(String name) {
        health.enter();
        operation = name;
        sequence++;
        startNanos = System.nanoTime();
        String ending = health.ending();
        if (ending != null) {
            health.exit();
            throw new CollectiveFailedException(operation, sequence, List.of(), ending);
        }
    }

    void end() {
        if (health.waiting() != null) {
            health.waiting(null);
        }
        health.exit();
    }

    /** @param unarrived whether a rank still owes what this rank waits for */
    void check(IntPredicate unarrived) {
        checkEnding();
        checkGone(unarrived);
        List<Integer> late = ranks(unarrived);
        if (!late.isEmpty()) {
            checkDeadline(late);
        }
    }

    void checkEnding() {
        String ending = health.ending();
        if (ending != null) {
            throw failure(ending, List.of());
        }
    }

    void checkGone(IntPredicate unarrived) {
        for (int rank = 0; rank < worldSize; rank++) {
            // Who is gone is asked before the flag that counts is read; the first look only spares the question.
            if (unarrived.test(rank) && gone(rank) && unarrived.test(rank)) {
                Burst.over(this::deadRanks, LOOK);
                List<Integer> culprits = culprits(unarrived);
                throw failure(health.links().describe(culprits), culprits);
            }
        }
    }

    private List<Integer> deadRanks() {
        return ranks(rank -> health.links().dead(rank) || (!health.links().gone(rank) && undriven.test(rank)));
    }

    private boolean gone(int rank) {
        return health.links().gone(rank) || undriven.test(rank);
    }

    /** @param late the ranks to name, empty when they are not known */
    void checkDeadline(List<Integer> late) {
        Duration deadline = health.deadline();
        long sinceNanos = System.nanoTime() - startNanos;
        if (sinceNanos > MOMENT.toNanos()) {
            health.waiting(new Waiting(operation, sequence, startNanos, late));
        }
        if (sinceNanos > deadline.toNanos()) {
            throw failure("deadline of " + deadline.toMillis() + " ms passed", late);
        }
    }

    boolean anyGone(IntPredicate among) {
        for (int rank = 0; rank < worldSize; rank++) {
            if (among.test(rank) && gone(rank)) {
                return true;
            }
        }
        return false;
    }

    CollectiveFailedException failure(String reason, List<Integer> missing) {
        health.end(operation + " #" + sequence + ": " + reason, missing);
        return new CollectiveFailedException(operation, sequence, missing, reason);
    }

    /** The dead if there are any; else those whom the ranks that left hold responsible; else the ranks that left. */
    private List<Integer> culprits(IntPredicate unarrived) {
        List<Integer> dead = deadRanks();
        if (!dead.isEmpty()) {
            return dead;
        }
        List<Integer> gone = ranks(rank -> gone(rank) && unarrived.test(rank));
        List<Integer> blamed = gone.stream()
                .flatMap(rank -> health.links().blamedBy(rank).stream())
                .distinct()
                .sorted()
                .toList();
        return blamed.isEmpty() ? gone : blamed;
    }

    private List<Integer> ranks(IntPredicate condition) {
        var ranks = new ArrayList<Integer>();
        for (int rank = 0; rank < worldSize; rank++) {
            if (condition.test(rank)) {
                ranks.add(rank);
            }
        }
        return ranks;
    }
}
