package io.myolotrain.coordinator;

import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.Coordinator;
import io.myolotrain.core.coordination.JournalEntry;
import io.myolotrain.core.encoding.CanonicalCodec;

/** The rules of this release. */
final class CoreRules implements Fold.Rules {
    private final Coordinator coordinator;
    private final CanonicalCodec codec = new CanonicalCodec();

    CoreRules() {
        this(true);
    }

    /** @param holdsBack workers that flap */
    CoreRules(boolean holdsBack) {
        coordinator = new Coordinator(holdsBack);
    }

    @Override
    public Coordinator.Outcome process(ClusterState state, JournalEntry entry) {
        return coordinator.process(state, entry);
    }

    @Override
    public byte[] encode(ClusterState state) {
        return codec.encode(state, ClusterState.class);
    }

    @Override
    public ClusterState decode(byte[] state) {
        return codec.decode(state, ClusterState.class);
    }
}
