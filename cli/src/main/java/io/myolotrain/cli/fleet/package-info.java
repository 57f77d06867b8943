/** Worker processes as children of this one. */
@NullMarked
package io.myolotrain.cli.fleet;

import org.jspecify.annotations.NullMarked;
