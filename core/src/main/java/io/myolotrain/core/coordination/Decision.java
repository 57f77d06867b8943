package io.myolotrain.core.coordination;

import java.util.List;

/**
 * What the coordinator made of one journal entry.
 *
 * @param offset journal offset of the entry
 * @param eventId id of the entry
 * @param plannerVersion version of the planning rules that decided
 * @param stateHash SHA-256 (hex) of the canonical encoding of the state after the facts
 * @param facts in the order in which they apply; may be empty
 */
public record Decision(
        long offset, String eventId, long atMs, String plannerVersion, String stateHash, List<Fact> facts) {
    public Decision {
        facts = List.copyOf(facts);
    }
}
