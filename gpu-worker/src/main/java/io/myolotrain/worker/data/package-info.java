/** Token streams and the micro-batches cut from them. Pure functions of seed and position after opening. */
@NullMarked
package io.myolotrain.worker.data;

import org.jspecify.annotations.NullMarked;
