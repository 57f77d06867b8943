/** Routes, security headers and the event stream. Runs on the server's context; a failure becomes an RFC 9457 problem. */
@NullMarked
package io.myolotrain.ui.http;

import org.jspecify.annotations.NullMarked;
