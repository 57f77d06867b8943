/** Everything in one go: broker, registry, coordinator, sampler, web UI and worker processes. */
@NullMarked
package io.myolotrain.cli.demo;

import org.jspecify.annotations.NullMarked;
