/** The coordinator as a fold: decide(state, entry) gives facts, apply(fact) gives the next state. Pure, single-threaded. */
@NullMarked
package io.myolotrain.core.coordination;

import org.jspecify.annotations.NullMarked;
