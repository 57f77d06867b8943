/**
 * The typed edge to Kafka: what each topic holds, how it is written and read, and how Avro becomes core's vocabulary.
 * Generated Avro classes stop here. Readers own a daemon thread each; codecs and writers are thread-safe.
 */
@NullMarked
package io.myolotrain.topics;

import org.jspecify.annotations.NullMarked;
