/** Benchmarks that state ratios against a baseline of the same run. */
@NullMarked
package io.myolotrain.cli.bench;

import org.jspecify.annotations.NullMarked;
