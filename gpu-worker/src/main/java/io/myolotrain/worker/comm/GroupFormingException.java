package io.myolotrain.worker.comm;

import java.util.List;

/** A group did not come together. Names who was missing, and whose process is known to be gone. */
public final class GroupFormingException extends RuntimeException {
    private final transient List<Integer> missingRanks;
    private final transient List<Integer> goneRanks;
    private final String reason;

    GroupFormingException(GroupKey key, List<Integer> missingRanks, String reason) {
        this(key, missingRanks, List.of(), reason);
    }

    private GroupFormingException(GroupKey key, List<Integer> missingRanks, List<Integer> goneRanks, String reason) {
        super("group " + key + " was not formed: " + reason);
        this.missingRanks = List.copyOf(missingRanks);
        this.goneRanks = List.copyOf(goneRanks);
        this.reason = reason;
    }

    /** The same failure, after those that are missing have been looked for. */
    GroupFormingException withGone(GroupKey key, List<Integer> gone) {
        var known = new GroupFormingException(key, missingRanks, gone, reason);
        known.initCause(this);
        return known;
    }

    String reason() {
        return reason;
    }

    public List<Integer> missingRanks() {
        return missingRanks;
    }

    /** Of the missing: nobody listens at their addresses any more, so that no patience helps. */
    public List<Integer> goneRanks() {
        return goneRanks;
    }
}
