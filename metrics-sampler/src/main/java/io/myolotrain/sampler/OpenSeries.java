package io.myolotrain.sampler;

import io.myolotrain.core.sampling.MetricPoint;
import io.myolotrain.core.sampling.Origin;
import io.myolotrain.core.sampling.RollUp;
import io.myolotrain.core.sampling.SamplingPolicy;
import io.myolotrain.core.sampling.Window;
import java.util.ArrayList;
import java.util.List;

/** One metric of one line at all resolutions of its policy. */
final class OpenSeries {
    /** Points of one step that are kept for standing out, beyond what the pace allows. */
    static final int OUTLIERS_PER_FLUSH_MAX = 50;

    final Series series;
    final List<OpenWindow> windows = new ArrayList<>();
    private final Outliers outliers = new Outliers();
    private SamplingPolicy policy;
    long heardAtMs;
    /** Whether it is in the list of those that may have something to publish or to store. */
    boolean listed;

    int openedSinceFlush;

    OpenSeries(Series series, SamplingPolicy policy) {
        this.series = series;
        this.policy = policy;
        policy.windows().forEach(window -> windows.add(new OpenWindow(window)));
    }

    /** @return points that were opened */
    int add(Origin origin, double value, long part, long nowMs) {
        heardAtMs = nowMs;
        int opened = 0;
        for (OpenWindow window : windows) {
            opened += window.add(origin.step(), origin.atMs(), value, part) ? 1 : 0;
        }
        openedSinceFlush += opened;
        return opened;
    }

    /** @return false when the policy has no such window any more */
    boolean recall(MetricPoint point) {
        for (OpenWindow window : windows) {
            if (window.window.equals(point.window())) {
                window.recall(RollUp.of(point));
                return true;
            }
        }
        return false;
    }

    boolean follows(SamplingPolicy wanted) {
        return policy.equals(wanted);
    }

    /** From now on at the resolutions of another policy; everything open must have been published before. */
    void follow(SamplingPolicy wanted) {
        policy = wanted;
        windows.clear();
        wanted.windows().forEach(window -> windows.add(new OpenWindow(window)));
    }

    MetricPoint point(Window window, OpenPoint open) {
        return open.rollUp.point(series.line(), series.name(), window);
    }

    /**
     * Of too many points of one step those that tell most: the newest, the extremes, what was not finite, what stands out,
     * and of the rest as many as fit, evenly spread.
     *
     * @param points in the order of their steps
     */
    List<OpenPoint> thinned(List<OpenPoint> points, int budget) {
        boolean[] keep = new boolean[points.size()];
        int kept = 0;
        int outlying = 0;
        int lowest = -1;
        int highest = -1;
        for (int i = 0; i < keep.length; i++) {
            RollUp rollUp = points.get(i).rollUp;
            boolean outlier = outliers.isOutlier(rollUp.mean());
            if ((outlier || rollUp.nonFinite() > 0) && outlying < OUTLIERS_PER_FLUSH_MAX) {
                keep[i] = true;
                outlying++;
            }
            if (rollUp.min()
                    <= (lowest < 0
                            ? Double.POSITIVE_INFINITY
                            : points.get(lowest).rollUp.min())) {
                lowest = i;
            }
            if (rollUp.max()
                    >= (highest < 0
                            ? Double.NEGATIVE_INFINITY
                            : points.get(highest).rollUp.max())) {
                highest = i;
            }
        }
        if (keep.length <= budget) {
            return points;
        }
        keep[keep.length - 1] = true;
        keep[Math.max(0, lowest)] = true;
        keep[Math.max(0, highest)] = true;
        for (boolean k : keep) {
            kept += k ? 1 : 0;
        }
        int more = budget - kept;
        for (int i = 0; i < more; i++) {
            keep[(int) ((long) i * keep.length / more)] = true;
        }
        var some = new ArrayList<OpenPoint>();
        for (int i = 0; i < keep.length; i++) {
            if (keep[i]) {
                some.add(points.get(i));
            }
        }
        return some;
    }
}
