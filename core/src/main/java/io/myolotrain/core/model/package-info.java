/** The vocabulary of the house: ids, the logical grid, jobs, plans and the state of a pool. Immutable, thread-safe, JDK only. */
@NullMarked
package io.myolotrain.core.model;

import org.jspecify.annotations.NullMarked;
