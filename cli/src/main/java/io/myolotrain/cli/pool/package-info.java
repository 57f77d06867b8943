/** Commands about the pool. */
@NullMarked
package io.myolotrain.cli.pool;

import org.jspecify.annotations.NullMarked;
