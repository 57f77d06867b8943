/** Checkpoints as safetensors files with a manifest written last. Files are untrusted on read. */
@NullMarked
package io.myolotrain.worker.checkpoint;

import org.jspecify.annotations.NullMarked;
