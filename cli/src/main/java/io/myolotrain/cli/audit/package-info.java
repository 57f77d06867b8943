/** Commands that check the log against itself. */
@NullMarked
package io.myolotrain.cli.audit;

import org.jspecify.annotations.NullMarked;
