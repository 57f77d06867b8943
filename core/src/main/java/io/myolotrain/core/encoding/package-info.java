/** One canonical binary form for everything in the model: equal values have equal bytes, in every process and run. */
@NullMarked
package io.myolotrain.core.encoding;

import org.jspecify.annotations.NullMarked;
