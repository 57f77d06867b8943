/** A person's side of the topics: publish a request, follow what becomes of it, see the pool as the decisions tell it. */
@NullMarked
package io.myolotrain.cli.client;

import org.jspecify.annotations.NullMarked;
