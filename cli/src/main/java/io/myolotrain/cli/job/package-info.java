/** Commands about jobs. */
@NullMarked
package io.myolotrain.cli.job;

import org.jspecify.annotations.NullMarked;
