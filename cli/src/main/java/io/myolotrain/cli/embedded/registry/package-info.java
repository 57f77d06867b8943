/**
 * An Avro schema registry that speaks Confluent's REST API and keeps its data in Confluent's record format, so that a
 * real registry can take over the same cluster. One instance per cluster: it is the only writer of {@code _schemas}.
 */
@NullMarked
package io.myolotrain.cli.embedded.registry;

import org.jspecify.annotations.NullMarked;
