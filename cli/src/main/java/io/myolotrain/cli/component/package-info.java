/** One command per part of the system that can run alone. */
@NullMarked
package io.myolotrain.cli.component;

import org.jspecify.annotations.NullMarked;
