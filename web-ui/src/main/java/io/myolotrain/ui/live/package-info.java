/**
 * What the server knows at this moment, folded from the feed and bounded in memory. Everything here is confined to the
 * server's Vert.x context; nothing here blocks.
 */
@NullMarked
package io.myolotrain.ui.live;

import org.jspecify.annotations.NullMarked;
