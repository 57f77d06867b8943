/**
 * Avro in Confluent's wire format over a schema registry. Thread-safe. What the bytes are to blame for is {@link
 * io.myolotrain.schemas.Undecodable}; what the registry is to blame for is {@link
 * io.myolotrain.schemas.RegistryUnavailable}, and the same bytes may be fine later.
 */
@NullMarked
package io.myolotrain.schemas;

import org.jspecify.annotations.NullMarked;
