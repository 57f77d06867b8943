/** The model on LibTorch: forward, backward and optimizer, cell by cell. All native memory stays in this package; one thread. */
@NullMarked
package io.myolotrain.worker.engine;

import org.jspecify.annotations.NullMarked;
