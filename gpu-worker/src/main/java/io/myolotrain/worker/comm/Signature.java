package io.myolotrain.worker.comm;

/** An operation and its size in one word: ranks that call different things are told so instead of exchanging nonsense. */
final class Signature {
    enum Operation {
        ALL_REDUCE(1),
        ALL_GATHER_WORDS(2),
        ALL_GATHER_RANGES(3),
        BROADCAST(4);

        private final long code;

        Operation(long code) {
            this.code = code;
        }
    }

    private static final int SIZE_BITS = 48;
    private static final long SIZE_MASK = (1L << SIZE_BITS) - 1;

    private Signature() {}

    static long of(Operation operation, long size) {
        return operation.code << SIZE_BITS | (size & SIZE_MASK);
    }

    static String describe(long signature) {
        String name = "unknown";
        for (Operation operation : Operation.values()) {
            if (operation.code == signature >>> SIZE_BITS) {
                name = operation.name();
            }
        }
        return name + "(" + (signature & SIZE_MASK) + ")";
    }
}
