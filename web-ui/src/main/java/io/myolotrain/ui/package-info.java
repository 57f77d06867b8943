/**
 * The web UI's server. One Vert.x context holds everything that it knows ({@code live}) and answers every request
 * ({@code http}); the feed and the publisher ({@code port}, bound to Kafka in {@code topics}) have their own threads.
 */
@NullMarked
package io.myolotrain.ui;

import org.jspecify.annotations.NullMarked;
