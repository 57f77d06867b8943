/**
 * What a worker reports of itself and of the model. Reads only: no reading changes a number of the training, and none can
 * fail it. Measured on the training thread where the memory is its own; encoded and sent on a thread of its own.
 */
@NullMarked
package io.myolotrain.worker.readings;

import org.jspecify.annotations.NullMarked;
