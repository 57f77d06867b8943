package io.myolotrain.worker.comm;

import io.myolotrain.worker.comm.Communicator.FloatRange;
import java.nio.FloatBuffer;
import java.util.List;

/** Reads or fills a list of ranges of one buffer in pieces, as if they stood one after the other. */
final class RangeStream {
    private final FloatBuffer data;
    private final List<FloatRange> ranges;
    private int index;
    private int within;

    RangeStream(FloatBuffer data, List<FloatRange> ranges) {
        this.data = data;
        this.ranges = ranges;
    }

    static long total(List<FloatRange> ranges) {
        return ranges.stream().mapToLong(FloatRange::length).sum();
    }

    /** Copies the next floats, at most {@code max}, to {@code target}; returns how many. */
    int read(FloatBuffer target, int targetStart, int max) {
        return pass(max, (at, done, length) -> target.put(targetStart + done, data, at, length));
    }

    /** Fills the next floats, at most {@code max}, from {@code source}; returns how many. */
    int write(FloatBuffer source, int sourceStart, int max) {
        return pass(max, (at, done, length) -> data.put(at, source, sourceStart + done, length));
    }

    private int pass(int max, Copy copy) {
        int done = 0;
        while (index < ranges.size() && done < max) {
            FloatRange range = ranges.get(index);
            int length = Math.min(range.length() - within, max - done);
            copy.run(data.position() + range.offset() + within, done, length);
            done += length;
            within += length;
            if (within == range.length()) {
                index++;
                within = 0;
            }
        }
        return done;
    }

    private interface Copy {
        void run(int at, int done, int length);
    }
}
