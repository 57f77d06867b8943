package io.myolotrain.sampler;

import io.myolotrain.core.sampling.RollUp;
import io.myolotrain.core.sampling.Window;
import java.util.ArrayList;
import java.util.List;

/**
 * The latest points of one series at one resolution. A point that was published and closed may be opened again by a late
 * reading: then it is another part of the same bucket, and readers add the two up. So nothing is ever too late, and any
 * published point may be forgotten.
 */
final class OpenWindow {
    /** Points that stay open behind the newest: ranks report the same step at different times. */
    static final int OPEN_MAX = 4;

    final Window window;
    /** In the order of their buckets. */
    private final List<OpenPoint> open = new ArrayList<>(OPEN_MAX);

    OpenWindow(Window window) {
        this.window = window;
    }

    /** @return whether a point was opened */
    boolean add(long step, long atMs, double value, long part) {
        long bucket = window.bucket(step, atMs);
        int at = indexOf(bucket);
        boolean opened = at == open.size() || open.get(at).rollUp.bucket() != bucket;
        if (opened) {
            open.add(at, new OpenPoint(new RollUp(bucket, part)));
        }
        open.get(at).add(step, atMs, value);
        return opened;
    }

    /** Where the bucket is or belongs: almost always at the end. */
    private int indexOf(long bucket) {
        int low = 0;
        int high = open.size();
        if (high == 0 || open.get(high - 1).rollUp.bucket() < bucket) {
            return high;
        }
        if (open.get(high - 1).rollUp.bucket() == bucket) {
            return high - 1;
        }
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (open.get(middle).rollUp.bucket() < bucket) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** What was stored had not been published before the restart. */
    void recall(RollUp rollUp) {
        var point = new OpenPoint(rollUp);
        point.unpublished = true;
        point.inStore = true;
        open.add(indexOf(rollUp.bucket()), point);
    }

    boolean isEachStep() {
        return window.equals(Window.EACH_STEP);
    }

    /** Unpublished points that are complete, which is when a newer one has begun; all when there is no more to come. */
    List<OpenPoint> ready(boolean all) {
        var ready = new ArrayList<OpenPoint>();
        for (int i = 0; i < open.size(); i++) {
            OpenPoint point = open.get(i);
            if (point.unpublished && (all || isEachStep() || i < open.size() - 1)) {
                ready.add(point);
            }
        }
        return ready;
    }

    /** Forgets what is published and older than the newest {@value #OPEN_MAX}. */
    void trim() {
        int old = open.size() - OPEN_MAX;
        for (int i = old - 1; i >= 0; i--) {
            if (!open.get(i).unpublished) {
                open.remove(i);
            }
        }
    }

    List<OpenPoint> points() {
        return open;
    }
}
