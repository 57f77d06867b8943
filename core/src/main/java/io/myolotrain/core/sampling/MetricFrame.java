package io.myolotrain.core.sampling;

/** A frame as pages read it: what the policy of its name kept. */
public record MetricFrame(Origin origin, Frame frame) {}
