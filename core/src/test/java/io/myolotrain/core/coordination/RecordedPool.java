package io.myolotrain.core.coordination;

import io.myolotrain.core.model.PoolId;
import java.util.List;

/** A short history with its decisions, for tests of other packages. */
public record RecordedPool(List<JournalEntry> journal, List<Decision> decisions, ClusterState state) {
    public static final PoolId POOL = Pool.POOL;

    public static RecordedPool withAResizeAndADeath() {
        var pool = new Pool();
        pool.join("w1", "w2", "w3");
        pool.submit(2, 100);
        pool.applied();
        pool.step(pool.active(), 1);
        pool.change("workers", "3");
        pool.applied();
        pool.step(pool.active(), 2);
        pool.change("workers", "0");
        pool.failed(pool.active(), "w1", "w3");
        pool.applied();
        pool.step(pool.active(), 3);
        return new RecordedPool(List.copyOf(pool.journal), List.copyOf(pool.decisions), pool.state);
    }
}
