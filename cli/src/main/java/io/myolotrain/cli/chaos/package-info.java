/** {@code myolotrain chaos}: breaks a running demo on a seed and a schedule, and writes each fault into the log. */
@NullMarked
package io.myolotrain.cli.chaos;

import org.jspecify.annotations.NullMarked;
