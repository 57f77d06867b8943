/** What the web UI needs from outside: a feed of what happened, and a way to ask for a change. */
@NullMarked
package io.myolotrain.ui.port;

import org.jspecify.annotations.NullMarked;
