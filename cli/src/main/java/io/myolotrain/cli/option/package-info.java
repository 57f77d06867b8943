/** Options that several commands share, and the file that lets a second terminal find a running demo. */
@NullMarked
package io.myolotrain.cli.option;

import org.jspecify.annotations.NullMarked;
