package io.myolotrain.core.sampling;

/** What one rank reports of one step in one record: single values, or one frame. */
public record Reading(Origin origin, Content content) {

    public static Reading scalar(Origin origin, String name, double value) {
        return new Reading(origin, Scalars.of(name, value));
    }
}
