package io.myolotrain.ui.live;

import java.util.List;

/**
 * The pool as it was when the journal had been decided up to an offset.
 *
 * @param offset journal offset of the last decision that counts, -1 before the first
 * @param atMs its time
 * @param rows what that decision did
 * @param extent what offsets there are
 */
public record PastView(long offset, long atMs, PoolView pool, List<JobView> jobs, List<EventRow> rows, Extent extent) {

    /** Journal offsets, of which the first and the last decision are known. */
    public record Extent(long firstOffset, long lastOffset, long firstAtMs, long lastAtMs) {
        static final Extent NOTHING = new Extent(-1, -1, 0, 0);
    }
}
