package io.myolotrain.worker.comm;

import java.util.List;

/** A group did not come together. Names who was missing. */
public final class GroupFormingException extends RuntimeException {
    private final transient List<Integer> missingRanks;
    private final String reason;

    GroupFormingException(GroupKey key, List<Integer> missingRanks, String reason) {
        super("group " + key + " was not formed: " + reason);
        this.missingRanks = List.copyOf(missingRanks);
        this.reason = reason;
    }

    String reason() {
        return reason;
    }

    public List<Integer> missingRanks() {
        return missingRanks;
    }
}
