package io.myolotrain.worker.comm;

/**
 * Where everything stands in the memory that the ranks of a group share. A lane is one independent set of flags and areas
 * with its own ranks and sequence numbers: lane 0 is the whole group, lane 1 (only when some ranks leave) its members.
 * Every flag has a {@link #LINE} to itself: two cache lines, because the hardware fetches them in pairs.
 *
 * <pre>
 *  0        magic, version, world size, members, area bytes, region bytes, nonce          1 LINE
 *  lane 0   bell      int that counts rings @0, int number of sleepers @64                 1 LINE
 *           arrived   per rank: long round @0, long signature per parity @8, @16,
 *                     long process and thread that drive it @24                             P LINEs
 *           reduced   per rank: long round @0                                               P LINEs
 *           mail      per (from, to): long sent @0, long bytes @8, long taken @64           P × P LINEs
 *           in        per rank and parity: what the rank gives in round s, parity s &amp; 1     P × 2 areas
 *           out       per parity: the sum                                                   2 areas
 *           post      per rank and parity: pieces on their way to one peer                  P × 2 posts
 *  lane 1   the same for the members
 * </pre>
 */
record RegionLayout(int worldSize, int members, int areaBytes) {
    static final long MAGIC = 0x4d594f4c4f53484dL; // "MYOLOSHM"
    static final long VERSION = 1;

    static final int LINE = 128;
    static final int SLEEPERS = 64;
    static final int SIGNATURES = 8;
    static final int DRIVER = 24;
    static final int MAIL_BYTES = 8;
    static final int MAIL_TAKEN = 64;

    private static final int PAGE = 4_096;
    private static final int AREA_BYTES_MIN = 64 * 1_024;
    // Fits the L2 cache of a core: 1 MiB in pieces is 2.5 times faster than in one.
    private static final int AREA_BYTES_MAX = 256 * 1_024;
    private static final int POST_BYTES_MAX = 256 * 1_024;

    /** Areas as large as the largest buffer, within bounds: longer buffers pass in pieces. */
    static RegionLayout of(GroupSpec spec) {
        long wanted = (long) spec.floatsMax() * Float.BYTES;
        long area = Math.max(AREA_BYTES_MIN, Math.min(AREA_BYTES_MAX, roundUp(wanted, PAGE)));
        return new RegionLayout(spec.worldSize(), spec.members(), (int) area);
    }

    RegionLayout {
        if (areaBytes % LINE != 0) {
            throw new IllegalArgumentException("areaBytes must be a multiple of " + LINE + ": areaBytes=" + areaBytes);
        }
    }

    int lanes() {
        return members == worldSize ? 1 : 2;
    }

    int ranks(int lane) {
        return lane == 0 ? worldSize : members;
    }

    int postBytes() {
        return Math.min(areaBytes, POST_BYTES_MAX);
    }

    int laneStart(int lane) {
        return lane == 0 ? PAGE : Math.toIntExact(PAGE + laneBytes(worldSize));
    }

    int arrived(int lane) {
        return laneStart(lane) + LINE;
    }

    int reduced(int lane) {
        return arrived(lane) + ranks(lane) * LINE;
    }

    int mail(int lane) {
        return reduced(lane) + ranks(lane) * LINE;
    }

    int in(int lane) {
        return mail(lane) + mailLinesBytes(ranks(lane));
    }

    int out(int lane) {
        return in(lane) + ranks(lane) * 2 * areaBytes;
    }

    int post(int lane) {
        return out(lane) + 2 * areaBytes;
    }

    int regionBytes() {
        long bytes = PAGE + laneBytes(worldSize) + (lanes() == 2 ? laneBytes(members) : 0);
        return Math.toIntExact(bytes);
    }

    private long laneBytes(int ranks) {
        long flags = (1 + 2L * ranks) * LINE + mailLinesBytes(ranks);
        return roundUp(flags + (2L * ranks + 2) * areaBytes + 2L * ranks * postBytes(), PAGE);
    }

    private static int mailLinesBytes(int ranks) {
        return ranks * ranks * LINE;
    }

    private static long roundUp(long value, int unit) {
        return (value + unit - 1) / unit * unit;
    }
}
