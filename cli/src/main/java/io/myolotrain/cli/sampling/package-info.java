/** Commands that say which readings of a running job are kept. */
@NullMarked
package io.myolotrain.cli.sampling;

import org.jspecify.annotations.NullMarked;
