package io.myolotrain.core.sampling;

import java.util.List;

/** What is kept of a metric. Every policy keeps extremes: a roll-up holds minimum and maximum. */
public sealed interface SamplingPolicy {

    /** Resolutions at which single values are rolled up, narrowest first. */
    List<Window> windows();

    /** Whether a frame of this step is kept; {@code lastAtMs} is the time of the last one kept of this name and rank. */
    boolean keepsFrame(long step, long atMs, long lastAtMs);

    /** As a person writes it, for example {@code step:10}. */
    String text();

    /**
     * Every k-th step: for what follows the mathematics, such as gradients. Frames of these steps are kept whole, single
     * values of all steps are rolled up.
     */
    record ByStep(long every) implements SamplingPolicy {
        public static final long EVERY_MAX = 1_000_000;

        public ByStep {
            if (every < 1 || every > EVERY_MAX) {
                throw new IllegalArgumentException("every must be 1 to " + EVERY_MAX + " steps: every=" + every);
            }
        }

        @Override
        public List<Window> windows() {
            return List.of(Window.steps(every), Window.steps(every * 10), Window.steps(every * 100));
        }

        @Override
        public boolean keepsFrame(long step, long atMs, long lastAtMs) {
            return step % every == 0;
        }

        @Override
        public String text() {
            return "step:" + every;
        }
    }

    /** At most one point in an interval, whatever the pace of the steps: for what follows the machines, such as traffic. */
    record ByTime(long intervalMs) implements SamplingPolicy {
        public static final long INTERVAL_MIN_MS = 100;
        public static final long INTERVAL_MAX_MS = 86_400_000;

        public ByTime {
            if (intervalMs < INTERVAL_MIN_MS || intervalMs > INTERVAL_MAX_MS) {
                throw new IllegalArgumentException("an interval must be " + INTERVAL_MIN_MS + " to " + INTERVAL_MAX_MS
                        + " ms: intervalMs=" + intervalMs);
            }
        }

        @Override
        public List<Window> windows() {
            return List.of(Window.millis(intervalMs), Window.millis(intervalMs * 10), Window.millis(intervalMs * 100));
        }

        @Override
        public boolean keepsFrame(long step, long atMs, long lastAtMs) {
            return Math.floorDiv(atMs, intervalMs) > Math.floorDiv(lastAtMs, intervalMs);
        }

        @Override
        public String text() {
            return "time:" + intervalMs + "ms";
        }
    }

    /**
     * Adaptive: each step as reported while the pace allows; beyond it minimum, maximum, last and every outlier. Roll-ups
     * over 10, 100 and 1,000 steps are complete at any pace. Frames come at their reporter's own pace and are all kept.
     */
    record Default() implements SamplingPolicy {
        private static final List<Window> WINDOWS =
                List.of(Window.EACH_STEP, Window.steps(10), Window.steps(100), Window.steps(1_000));

        @Override
        public List<Window> windows() {
            return WINDOWS;
        }

        @Override
        public boolean keepsFrame(long step, long atMs, long lastAtMs) {
            return true;
        }

        @Override
        public String text() {
            return "default";
        }
    }
}
