package io.myolotrain.topics;

import io.myolotrain.core.sampling.SamplingRequest;

/** A request about readings, with its sender. */
public record SamplingEvent(Ingress.Header header, SamplingRequest request) {}
