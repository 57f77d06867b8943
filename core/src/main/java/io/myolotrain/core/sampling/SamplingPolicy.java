package io.myolotrain.core.sampling;

import java.util.List;
import java.util.stream.Stream;

/** At which resolutions the readings of a metric are kept. Every policy keeps extremes: a roll-up holds min and max. */
public sealed interface SamplingPolicy {

    /** Narrowest first. */
    List<Window> windows();

    /** Points that span steps: for what follows the mathematics, such as gradient norms of each layer. */
    record ByStep(List<Long> widths) implements SamplingPolicy {
        public ByStep {
            widths = List.copyOf(widths);
        }

        @Override
        public List<Window> windows() {
            return widths.stream().sorted().map(Window::steps).toList();
        }
    }

    /** Points that span time: for what follows the machines, such as traffic, whatever the pace of the steps. */
    record ByTime(List<Long> widthsMillis) implements SamplingPolicy {
        public ByTime {
            widthsMillis = List.copyOf(widthsMillis);
        }

        @Override
        public List<Window> windows() {
            return widthsMillis.stream().sorted().map(Window::millis).toList();
        }
    }

    /** Every step as reported while the pace allows, and roll-ups by step for the long view. */
    record Default(List<Long> rollUpWidths) implements SamplingPolicy {
        public Default {
            rollUpWidths = List.copyOf(rollUpWidths);
        }

        @Override
        public List<Window> windows() {
            return Stream.concat(
                            Stream.of(Window.EACH_STEP),
                            rollUpWidths.stream().sorted().map(Window::steps))
                    .toList();
        }
    }
}
