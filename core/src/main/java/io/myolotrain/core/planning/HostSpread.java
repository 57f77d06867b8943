package io.myolotrain.core.planning;

/**
 * Parts owners of one shard that ended up on one host: the last slots to be filled find little choice. Two slots change
 * places when that moves nothing more and leaves fewer owners together. Where hosts are unequal some stay together:
 * balance comes first.
 */
final class HostSpread {
    private static final int TRIES_MAX = 256; // partners looked at per shard; bounds the work where none exists

    private final OwnerTable before;
    private final OwnerTable now;
    private final int[] host;

    HostSpread(OwnerTable before, OwnerTable now, int[] host) {
        this.before = before;
        this.now = now;
        this.host = host;
    }

    void improve() {
        for (int s = 0; s < now.shards; s++) {
            if (together(s) > 0) {
                part(s);
            }
        }
    }

    private void part(int shard) {
        int start = (int) Long.remainderUnsigned(StableHash.of(0, shard), now.shards);
        for (int i = 0; i < Math.min(TRIES_MAX, now.shards); i++) {
            int partner = (start + i) % now.shards;
            if (partner != shard && exchanged(shard, partner)) {
                return;
            }
        }
    }

    private boolean exchanged(int s, int t) {
        int together = together(s) + together(t);
        for (int i = 0; i < now.replicas; i++) {
            for (int j = 0; j < now.replicas; j++) {
                int a = now.at(s, i);
                int b = now.at(t, j);
                boolean legal = !now.owns(a, t) && !now.owns(b, s);
                if (!legal || cost(a, t) + cost(b, s) > cost(a, s) + cost(b, t)) {
                    continue;
                }
                now.put(s, i, b);
                now.put(t, j, a);
                if (together(s) + together(t) < together) {
                    return true;
                }
                now.put(s, i, a);
                now.put(t, j, b);
            }
        }
        return false;
    }

    /** Pairs of owners on one host. */
    private int together(int shard) {
        int pairs = 0;
        for (int i = 0; i < now.replicas; i++) {
            for (int j = i + 1; j < now.replicas; j++) {
                pairs += host[now.at(shard, i)] == host[now.at(shard, j)] ? 1 : 0;
            }
        }
        return pairs;
    }

    private int cost(int worker, int shard) {
        return shard < before.shards && before.owns(worker, shard) ? 0 : 1;
    }
}
