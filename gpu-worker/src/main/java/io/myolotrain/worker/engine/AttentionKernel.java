package io.myolotrain.worker.engine;

/** How attention is computed; part of the bits of a run. */
enum AttentionKernel {
    FUSED,
    EXPLICIT
}
