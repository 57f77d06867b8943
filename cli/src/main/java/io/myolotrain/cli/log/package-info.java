/** Commands that show topics as they are. */
@NullMarked
package io.myolotrain.cli.log;

import org.jspecify.annotations.NullMarked;
