/**
 * From readings to points: a Kafka Streams topology that keeps each metric at the resolutions of its policy. One stream
 * thread at a time. Failure: what cannot be read is a dead letter; what exceeds a bound is dropped and counted; a point
 * that is published again replaces the one before.
 */
@NullMarked
package io.myolotrain.sampler;

import org.jspecify.annotations.NullMarked;
