/**
 * Sequencer and coordinator as one Kafka Streams topology: many ingress topics become one order per pool, and a pure fold
 * over that order becomes decisions and plans. Rules live in small plain classes; a processor only carries records to
 * them. Every class here is used by one stream thread at a time unless it says otherwise. Failure: what cannot be read is
 * a dead letter, what the broker or the registry cannot do now is tried again, and a commit holds all effects or none.
 */
@NullMarked
package io.myolotrain.coordinator;

import org.jspecify.annotations.NullMarked;
