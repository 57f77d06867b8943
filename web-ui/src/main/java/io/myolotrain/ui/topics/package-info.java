/**
 * The ports over Kafka. Each topic is read on its reader's own thread; one thread hands over to the server; a probe asks the
 * broker now and then whether it is there.
 */
@NullMarked
package io.myolotrain.ui.topics;

import org.jspecify.annotations.NullMarked;
