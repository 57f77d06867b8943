package io.myolotrain.worker.comm;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;

/** How the data of one group travels; made ready while the group forms. */
interface GroupTransport {
    /** Rank 0 only: makes what all share and says where it is. Does not wait for other ranks: they may not be there yet. */
    byte[] offer() throws IOException;

    /** Every rank: attaches to what rank 0 offers. May wait for the other ranks, at most {@code timeout}. */
    void join(byte[] offer, Duration timeout) throws IOException;

    /** Rank 0 only: every rank has joined. */
    void joined() throws IOException;

    Communicator communicator(PeerLinks links, Supplier<Duration> deadline);

    /** Undoes the above when the group does not come together. */
    void discard();
}
