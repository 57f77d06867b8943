package io.myolotrain.core.sampling;

/** What a reading holds. */
public sealed interface Content permits Scalars, Frame {}
