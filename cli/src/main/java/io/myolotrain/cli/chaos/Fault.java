package io.myolotrain.cli.chaos;

import java.time.Duration;
import java.util.List;

/**
 * Something to break.
 *
 * @param after time since the start of the schedule
 * @param targets worker ids; of a fault of the network none
 * @param lasting zero for what cannot be undone
 */
record Fault(Duration after, Kind kind, List<String> targets, Duration lasting) {
    enum Kind {
        /** {@code kill -9}: no goodbye. The demo starts the worker again. */
        KILL("kill -9"),
        /** SIGSTOP, later SIGCONT: holds its sockets and says nothing, then wakes as a zombie. */
        HANG("freeze"),
        /** SIGTERM: capacity is taken away, with the notice that a cloud gives. The demo starts the worker again. */
        REMOVE("remove"),
        /** Packets from and to the broker are dropped at random. */
        LOSS("lose packets"),
        /** Packets from and to the broker arrive later. */
        DELAY("delay packets");

        private final String verb;

        Kind(String verb) {
            this.verb = verb;
        }

        /** For people. */
        String verb() {
            return verb;
        }

        /** Whether it is undone after a while. */
        boolean ends() {
            return this == HANG || !hitsWorkers();
        }

        /** Or else the network. */
        boolean hitsWorkers() {
            return this != LOSS && this != DELAY;
        }
    }

    Fault {
        targets = List.copyOf(targets);
    }
}
