/** Arithmetic that fixes the mathematics of a step: sample order, random streams, reduction trees, schedules, parameter layout. */
@NullMarked
package io.myolotrain.core.training;

import org.jspecify.annotations.NullMarked;
