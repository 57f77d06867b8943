/**
 * Pictures of single steps, kept in bounded memory and reduced to what a screen can show. Confined to the server's context,
 * as everything that it knows.
 */
@NullMarked
package io.myolotrain.ui.frames;

import org.jspecify.annotations.NullMarked;
