/** Collectives among the ranks of one generation, in NCCL's vocabulary. One thread drives a communicator; abort() alone may come from another. */
@NullMarked
package io.myolotrain.worker.comm;

import org.jspecify.annotations.NullMarked;
