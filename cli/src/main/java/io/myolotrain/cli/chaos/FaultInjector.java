package io.myolotrain.cli.chaos;

import io.myolotrain.cli.fleet.ProcessSignal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Breaks things of a demo, and mends those that can be mended. */
final class FaultInjector {
    private final DemoProcesses processes;
    private final BrokerNetwork network;

    FaultInjector(DemoProcesses processes, BrokerNetwork network) {
        this.processes = processes;
        this.network = network;
    }

    /** Something that is broken for a while. */
    interface Mendable {
        void mend() throws IOException, InterruptedException;
    }

    /** @return what the fault would hit now: of the workers those that run; empty when none does */
    List<String> targets(Fault fault) {
        if (!fault.kind().hitsWorkers()) {
            return List.of("broker");
        }
        return List.copyOf(running(fault).keySet());
    }

    String detail(Fault fault) {
        String what = fault.kind().hitsWorkers() ? "" : network.detail(fault.kind());
        String lasting =
                fault.lasting().isZero() ? "" : "for " + fault.lasting().toSeconds() + " s";
        return (what + (what.isEmpty() || lasting.isEmpty() ? "" : ", ") + lasting);
    }

    /** @return what has to be mended when the fault's time is over */
    List<Mendable> inject(Fault fault) throws IOException, InterruptedException {
        if (!fault.kind().hitsWorkers()) {
            return List.of(network.worsen(fault.kind()));
        }
        var mendable = new ArrayList<Mendable>();
        for (Map.Entry<String, Long> worker : running(fault).entrySet()) {
            long pid = worker.getValue();
            signal(fault.kind()).send(pid);
            if (fault.kind() == Fault.Kind.HANG) {
                mendable.add(() -> ProcessSignal.CONT.send(pid));
            }
        }
        return mendable;
    }

    private SortedMap<String, Long> running(Fault fault) {
        SortedMap<String, Long> running = new TreeMap<>(processes.workers());
        running.keySet().retainAll(fault.targets());
        return running;
    }

    private static ProcessSignal signal(Fault.Kind kind) {
        return switch (kind) {
            case KILL -> ProcessSignal.KILL;
            case HANG -> ProcessSignal.STOP;
            case REMOVE -> ProcessSignal.TERM;
            case LOSS, DELAY -> throw new IllegalArgumentException("no signal hits the network: kind=" + kind);
        };
    }
}
