package io.myolotrain.cli.chaos;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes of this machine's network, foremost rules of its packet filter. They are undone, newest first, when this is closed
 * or when the process ends in any way that runs its shutdown hooks. Needs root. Safe for several threads.
 */
final class NetworkChanges implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NetworkChanges.class);
    private static final String IPTABLES = "iptables-legacy";
    /** For trials: nobody listens at the discard service any more. */
    static final int UNUSED_PORT = 9;

    private final Deque<Change> made = new ArrayDeque<>(); // guarded by this
    private final Thread atExit = new Thread(this::undoAtExit, "network-restored");
    private boolean ended; // guarded by this

    interface Steps {
        void carryOut(NetworkChanges changes) throws IOException, InterruptedException;
    }

    interface Action {
        void run() throws IOException, InterruptedException;
    }

    private record Change(String what, Action undo) {}

    private NetworkChanges() {}

    /** All of the steps, or none when one of them fails. */
    static NetworkChanges make(Steps steps) throws IOException, InterruptedException {
        var changes = new NetworkChanges();
        Runtime.getRuntime().addShutdownHook(changes.atExit);
        try {
            steps.carryOut(changes);
            return changes;
        } catch (IOException | InterruptedException e) {
            changes.close();
            throw e;
        }
    }

    /**
     * What this machine lacks for a change, by trying it.
     *
     * @param trial makes the change and undoes it
     * @return for people; empty when the trial worked
     */
    static Optional<String> obstacle(Action trial) throws InterruptedException {
        if (!SystemCommand.works(IPTABLES, "--version")) {
            return Optional.of(IPTABLES + " is not installed");
        }
        try {
            trial.run();
            return Optional.empty();
        } catch (IOException notHere) {
            return Optional.of(String.valueOf(notHere.getMessage()).replaceAll("\\s+", " "));
        }
    }

    /**
     * Puts a rule before all others.
     *
     * @param table of the packet filter, such as filter or nat
     * @param rule its chain, then what it matches and does
     */
    synchronized void insertRule(String table, List<String> rule) throws IOException, InterruptedException {
        requireNotEnded();
        iptables(table, "-I", rule);
        made.push(new Change("rule of " + table + " " + rule, () -> iptables(table, "-D", rule)));
    }

    /** Has something closed before what was changed until now is undone. */
    synchronized void closeBeforehand(String what, Closeable part) throws IOException {
        requireNotEnded();
        made.push(new Change(what, part::close));
    }

    /** The hook may come between two steps: then nothing would undo the second one. */
    private void requireNotEnded() throws IOException {
        if (ended) {
            throw new IOException("the process is ending; its network is left as it was");
        }
    }

    private static void iptables(String table, String action, List<String> rule)
            throws IOException, InterruptedException {
        SystemCommand.run(Stream.concat(Stream.of(IPTABLES, "-w", "10", "-t", table, action), rule.stream())
                .toArray(String[]::new));
    }

    @Override
    public void close() throws IOException, InterruptedException {
        undo();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException exiting) {
            LOG.atDebug().log("the process ends, and its changes of the network with it");
        }
    }

    /** One that cannot be undone (somebody else has removed the rule) does not keep the others. */
    private synchronized void undo() throws IOException, InterruptedException {
        ended = true;
        IOException failed = null;
        while (!made.isEmpty()) {
            Change change = made.remove();
            try {
                change.undo.run();
            } catch (IOException e) {
                var left = new IOException(change.what + " cannot be undone: " + e.getMessage(), e);
                if (failed == null) {
                    failed = left;
                } else {
                    failed.addSuppressed(left);
                }
            }
        }
        if (failed != null) {
            throw failed;
        }
    }

    private void undoAtExit() {
        try {
            undo();
        } catch (IOException e) {
            LOG.atError().setCause(e).log("changes of the network are left behind");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
