/** Commands about a job's configuration. */
@NullMarked
package io.myolotrain.cli.config;

import org.jspecify.annotations.NullMarked;
