package io.myolotrain.core.simulation;

import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.WorkerId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Workers that run under one plan, in lock-step. */
final class World {
    final Plan plan;
    final List<VirtualWorker> members;
    final Lineage lineage;
    long committed;
    boolean broken;

    World(Plan plan, List<VirtualWorker> members, long committed, Lineage lineage) {
        this.plan = plan;
        this.members = List.copyOf(members);
        this.committed = committed;
        this.lineage = lineage;
    }

    /** Members that still hold this world's state. */
    List<VirtualWorker> living() {
        return members.stream().filter(w -> w.alive && w.world == this).toList();
    }

    /** Every shard has a living owner here who takes part. */
    boolean holdsAllShardsAmong(List<VirtualWorker> involved) {
        Set<WorkerId> alive = new HashSet<>();
        living().stream()
                .filter(involved::contains)
                .forEach(w -> alive.add(w.ref().id()));
        return plan.shardMap().owners().stream()
                .allMatch(owners -> owners.stream().anyMatch(alive::contains));
    }
}
