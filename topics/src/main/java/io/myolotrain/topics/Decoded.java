package io.myolotrain.topics;

/** What the bytes of a record turned out to be. */
public sealed interface Decoded<V> {

    record Value<V>(V value) implements Decoded<V> {}

    /** @param reason the rule that the bytes break, for people; reading them again will not help */
    record Unreadable<V>(String reason) implements Decoded<V> {}
}
