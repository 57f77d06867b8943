package io.myolotrain.worker.comm;

import io.myolotrain.worker.engine.NativeLibraries;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.IntOptional;
import org.bytedeco.pytorch.PrefixStore;
import org.bytedeco.pytorch.ProcessGroupGloo;
import org.bytedeco.pytorch.Store;
import org.bytedeco.pytorch.TCPStore;
import org.bytedeco.pytorch.TCPStoreOptions;
import org.bytedeco.pytorch.global.torch_gloo;
import org.bytedeco.pytorch.gloo.Device;

/**
 * What a worker has once for all its Gloo groups: a device (one event loop thread; one per group would leak) and a store
 * through which the groups that it leads find together. Both are bound to the worker's address alone.
 */
public final class GlooEndpoint implements AutoCloseable {
    private static final Duration STORE_TIMEOUT = Duration.ofSeconds(20);

    /** Kept from the garbage collector: see {@link #owned}. A few hundred bytes per group. */
    private static final List<Store> TAKEN_OVER = Collections.synchronizedList(new ArrayList<>());

    private final String address;
    private final int storePort;
    private final Store server;
    private final Device device;

    private GlooEndpoint(String address, int storePort, Store server, Device device) {
        this.address = address;
        this.storePort = storePort;
        this.server = server;
        this.device = device;
    }

    /** Loads LibTorch if nobody has. */
    public static GlooEndpoint open(InetAddress bind) throws IOException {
        NativeLibraries.load();
        Loader.load(torch_gloo.class);
        String address = bind.getHostAddress();
        ListeningSocket.Bound socket = ListeningSocket.open(bind, 0);
        try (PointerScope scope = new PointerScope()) {
            TCPStoreOptions options =
                    options(socket.port(), STORE_TIMEOUT).isServer(true).masterListenFd(new IntOptional(socket.fd()));
            Store server = owned(new TCPStore(address, options));
            server.retainReference();
            Device device = ProcessGroupGloo.createDeviceForHostname(address);
            device.retainReference();
            return new GlooEndpoint(address, socket.port(), server, device);
        }
    }

    public int storePort() {
        return storePort;
    }

    /** Joins a group of {@code worldSize} ranks whose store is at the given address; waits for all of them. */
    public GlooGroup join(String storeAddress, int port, String name, int rank, int worldSize, Duration timeout) {
        try (PointerScope scope = new PointerScope()) {
            boolean mine = port == storePort && storeAddress.equals(address);
            Store store = mine ? server : owned(new TCPStore(storeAddress, options(port, timeout)));
            Store prefixed = owned(new PrefixStore(name + "/", store));
            ProcessGroupGloo.Options options = ProcessGroupGloo.Options.create(milliseconds(timeout));
            options.devices(new org.bytedeco.pytorch.GlooDeviceVector(device));
            var group = new ProcessGroupGloo(prefixed, rank, worldSize, options);
            group.setTimeout(milliseconds(GlooGroup.OPERATION_TIMEOUT));
            group.retainReference(); // it holds a reference of its own to the store
            return new GlooGroup(group);
        }
    }

    private static TCPStoreOptions options(int port, Duration timeout) {
        return new TCPStoreOptions()
                .port((short) port)
                .isServer(false)
                .waitWorkers(false)
                .timeout(milliseconds(timeout));
    }

    static Milliseconds milliseconds(Duration duration) {
        return new Milliseconds(Math.max(1, duration.toMillis()));
    }

    /**
     * The presets allocate a store without the reference count that C++ expects: its first use as an argument takes it
     * over, its second aborts the process, and Java would free it once more. Handing it to a throw-away PrefixStore and
     * taking it back gives a counted reference; the raw one is never freed from Java.
     */
    private static Store owned(Store raw) {
        raw.retainReference();
        TAKEN_OVER.add(raw);
        try (PrefixStore carrier = new PrefixStore("", raw)) {
            return carrier.getUnderlyingStore();
        }
    }

    @Override
    public void close() {
        server.close();
        device.close();
    }
}
