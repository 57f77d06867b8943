package io.myolotrain.worker.comm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One shared file per group: rank 0 creates it, all map it, then its name goes. */
final class SharedMemoryTransport implements GroupTransport {
    private static final Logger LOG = LoggerFactory.getLogger(SharedMemoryTransport.class);

    private final GroupSpec spec;
    private final RegionLayout layout;
    private @Nullable SharedRegion region;

    SharedMemoryTransport(GroupSpec spec) {
        this.spec = spec;
        this.layout = RegionLayout.of(spec);
    }

    @Override
    public byte[] offer() throws IOException {
        SharedRegion created = SharedRegion.create(layout);
        region = created;
        return created.name().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void join(byte[] offer, Duration timeout) throws IOException {
        if (region == null) {
            region = SharedRegion.attach(new String(offer, StandardCharsets.UTF_8), layout);
        }
    }

    @Override
    public void joined() throws IOException {
        open().unlink();
    }

    @Override
    public Communicator communicator(PeerLinks links, Supplier<Duration> deadline) {
        SharedRegion shared = open();
        var health = new GroupHealth(links, deadline, shared::close);
        var waiting = WaitPolicy.forRanks(spec.worldSize(), Runtime.getRuntime().availableProcessors());
        return new SharedMemoryCommunicator(
                health,
                shared,
                layout,
                0,
                spec.rank(),
                waiting,
                spec.thresholds().oneShotMaxBytes());
    }

    private SharedRegion open() {
        if (region == null) {
            throw new IllegalStateException("join comes first: group=" + spec.key());
        }
        return region;
    }

    @Override
    public void discard() {
        if (region == null) {
            return;
        }
        try {
            region.unlink(); // whoever is attached may do so: rank 0 may be dead
        } catch (IOException e) {
            LOG.atWarn()
                    .setCause(e)
                    .addKeyValue("group", spec.key())
                    .log("shared memory of a failed group stays behind");
        }
        region.close();
        region = null;
    }
}
