/** From a pool and a wish to a plan or a refusal. Pure functions; nothing here knows a clock, a topic or a tensor. */
@NullMarked
package io.myolotrain.core.planning;

import org.jspecify.annotations.NullMarked;
