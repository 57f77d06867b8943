/** Measures collectives among real processes, interleaved with baselines. Starts processes; not used by a worker. */
@NullMarked
package io.myolotrain.worker.comm.bench;

import org.jspecify.annotations.NullMarked;
