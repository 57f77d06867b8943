/** Baselines of the benchmarks: what a person would write on LibTorch without this system. One thread. */
@NullMarked
package io.myolotrain.worker.engine.bench;

import org.jspecify.annotations.NullMarked;
