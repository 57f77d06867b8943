package io.myolotrain.ui.http;

import io.myolotrain.ui.live.SeriesKey;
import io.myolotrain.ui.live.StreamMessage;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The newest messages, numbered, and who listens. A client is a cursor into this one buffer: a slow one costs nothing, and
 * when the buffer has moved past it, it is dropped and comes back with a reset.
 */
final class StreamHub {
    static final int CLIENTS_MAX = 256; // a further client is refused with 503
    static final int FRAMES_MAX = 8_192; // oldest forgotten first
    static final int BYTES_MAX = 16 << 20;

    private final String life; // tells this process from the one before it
    private final @Nullable Frame[] ring = new @Nullable Frame[FRAMES_MAX]; // frame n stands at n mod FRAMES_MAX
    private final Set<StreamClient> clients = new LinkedHashSet<>();
    private long oldest = 1;
    private long newest; // the first frame is 1; oldest = newest + 1 while there is none
    private int bytes;
    private long slowClientsDropped;

    StreamHub(String life) {
        this.life = life;
    }

    /** One message, ready to be written. */
    record Frame(long sequence, @Nullable SeriesKey series, Buffer bytes) {}

    void publish(List<StreamMessage> messages) {
        for (StreamMessage message : messages) {
            append(message);
        }
        if (!messages.isEmpty()) {
            new ArrayList<>(clients).forEach(StreamClient::pump);
        }
    }

    /** Where a page that has just read the state stands. */
    String position() {
        return id(newest);
    }

    String id(long sequence) {
        return life + "-" + sequence;
    }

    /** @return the sequence after which to go on, or -1 when the page must read the state again */
    long resumeAfter(@Nullable String lastEventId) {
        if (lastEventId == null || lastEventId.isEmpty()) {
            return newest;
        }
        int dash = lastEventId.lastIndexOf('-');
        if (dash < 0 || !lastEventId.substring(0, dash).equals(life)) {
            return -1;
        }
        try {
            long after = Long.parseLong(lastEventId.substring(dash + 1));
            return after > newest || after + 1 < oldest ? -1 : after;
        } catch (NumberFormatException notOurs) {
            return -1;
        }
    }

    /** The frame with this number, or null when it is forgotten. */
    @Nullable Frame frame(long sequence) {
        return sequence < oldest ? null : ring[slot(sequence)];
    }

    boolean add(StreamClient client) {
        return clients.size() < CLIENTS_MAX && clients.add(client);
    }

    void remove(StreamClient client) {
        clients.remove(client);
    }

    void countSlow() {
        slowClientsDropped++;
    }

    void heartbeat() {
        new ArrayList<>(clients).forEach(StreamClient::heartbeat);
    }

    void closeAll() {
        new ArrayList<>(clients).forEach(StreamClient::close);
    }

    long newest() {
        return newest;
    }

    int clients() {
        return clients.size();
    }

    long slowClientsDropped() {
        return slowClientsDropped;
    }

    private void append(StreamMessage message) {
        newest++;
        Buffer frame = Buffer.buffer("id: " + id(newest) + "\nevent: " + message.type() + "\ndata: ")
                .appendBuffer(Json.encode(message.body())) // JSON holds no line break
                .appendString("\n\n");
        if (newest - oldest == FRAMES_MAX) {
            forgetOldest();
        }
        ring[slot(newest)] = new Frame(newest, message.series(), frame);
        bytes += frame.length();
        while (bytes > BYTES_MAX && oldest < newest) {
            forgetOldest();
        }
    }

    private void forgetOldest() {
        Frame frame = ring[slot(oldest)];
        bytes -= frame == null ? 0 : frame.bytes().length();
        ring[slot(oldest)] = null;
        oldest++;
    }

    private static int slot(long sequence) {
        return (int) (sequence % FRAMES_MAX);
    }
}
