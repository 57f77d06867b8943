/** Which readings are kept, and how they are rolled up. Pure rules. */
@NullMarked
package io.myolotrain.core.sampling;

import org.jspecify.annotations.NullMarked;
