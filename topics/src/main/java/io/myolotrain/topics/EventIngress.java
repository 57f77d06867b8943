package io.myolotrain.topics;

import io.myolotrain.core.coordination.Event;

/** An event on its way to the sequencer. */
public record EventIngress(Header header, Event event) implements Ingress {}
