package io.myolotrain.worker.comm;

import io.myolotrain.core.model.WorkerInfo;

/**
 * Where the worker of one rank is reached.
 *
 * @param worker id and incarnation
 * @param host identity of the machine: equal hosts share memory
 * @param address of the liveness listener and of the Gloo store
 * @param storePort 0 when the worker offers no Gloo store
 */
public record PeerAddress(String worker, String host, String address, int peerPort, int storePort) {
    private static final int PORT_MAX = 65_535;

    public PeerAddress {
        if (peerPort < 1 || peerPort > PORT_MAX || storePort < 0 || storePort > PORT_MAX) {
            throw new IllegalArgumentException(
                    "ports must be in [1, " + PORT_MAX + "], store port 0 when there is none: worker=" + worker
                            + " peerPort=" + peerPort + " storePort=" + storePort);
        }
    }

    public static PeerAddress of(WorkerInfo info) {
        return new PeerAddress(info.ref().toString(), info.host(), info.address(), info.peerPort(), info.storePort());
    }
}
