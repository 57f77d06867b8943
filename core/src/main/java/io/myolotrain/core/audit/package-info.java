/** Folds a journal again and names the first decision that differs. Pure, single-threaded. */
@NullMarked
package io.myolotrain.core.audit;

import org.jspecify.annotations.NullMarked;
