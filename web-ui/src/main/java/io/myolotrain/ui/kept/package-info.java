/** The file in which a server keeps what it has read of decisions, so that the next start does not read all of them again. */
@NullMarked
package io.myolotrain.ui.kept;

import org.jspecify.annotations.NullMarked;
