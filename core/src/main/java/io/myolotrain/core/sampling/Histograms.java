package io.myolotrain.core.sampling;

import java.util.List;

/** One histogram per layer, all of one step. */
public record Histograms(String name, List<Histogram> layers) implements Frame {
    public static final int LAYERS_MAX = 2_048;

    public Histograms {
        Frame.requireName(name);
        if (layers.size() > LAYERS_MAX) {
            throw new IllegalArgumentException(
                    "a frame holds at most " + LAYERS_MAX + " histograms: histograms=" + layers.size());
        }
        layers = List.copyOf(layers);
    }
}
