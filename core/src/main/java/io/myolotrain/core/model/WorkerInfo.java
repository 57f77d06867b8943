package io.myolotrain.core.model;

/**
 * What a worker says of itself when it joins.
 *
 * @param host identity of the machine (workers with equal host share memory)
 * @param address where peers reach {@code peerPort} and {@code storePort}
 * @param peerPort liveness sockets
 * @param storePort Gloo store, 0 when the worker offers none
 * @param httpPort health and metrics
 * @param kernel BLAS and vector kernels in use; bit-identity holds per kernel
 * @param version release of the worker
 */
public record WorkerInfo(
        WorkerRef ref,
        PoolId pool,
        String host,
        String address,
        int peerPort,
        int storePort,
        int httpPort,
        String kernel,
        String version) {}
