package io.myolotrain.ui.live;

import java.util.List;

/** The pool and its workers, by id. */
public record PoolView(String id, int members, int joining, int draining, int standby, List<WorkerView> workers) {
    static PoolView of(String id, List<WorkerView> workers) {
        return new PoolView(
                id,
                count(workers, WorkerView.State.MEMBER),
                count(workers, WorkerView.State.JOINING),
                count(workers, WorkerView.State.DRAINING),
                count(workers, WorkerView.State.STANDBY),
                List.copyOf(workers));
    }

    private static int count(List<WorkerView> workers, WorkerView.State state) {
        return (int) workers.stream().filter(w -> w.state() == state).count();
    }
}
