/** {@code myolotrain doctor}: says why something does not go on. */
@NullMarked
package io.myolotrain.cli.doctor;

import org.jspecify.annotations.NullMarked;
