package io.myolotrain.sampler;

import io.myolotrain.core.sampling.MetricPoint;
import io.myolotrain.topics.Decoded;
import io.myolotrain.topics.TopicCodec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.internals.CacheFlushListener;
import org.apache.kafka.streams.state.internals.CachedStateStore;
import org.jspecify.annotations.Nullable;

/**
 * Open points that outlive a restart, written behind: a point that grows with each reading reaches the changelog once per
 * commit, and not at all when it was published meanwhile. Streams' own cache does the same, but takes bytes, so each reading
 * would have to be encoded; this one asks for the points when Streams flushes its caches, just before a commit.
 */
final class OpenPoints implements StateStore, CachedStateStore<String, byte[]>, Rollups.Store {
    private final KeyValueStore<String, byte[]> inner;
    private final TopicCodec<MetricPoint> codec;
    private @Nullable Consumer<Rollups.Store> beforeCommit;

    private OpenPoints(KeyValueStore<String, byte[]> inner, TopicCodec<MetricPoint> codec) {
        this.inner = inner;
        this.codec = codec;
    }

    /** In memory: the store holds little at a time, and the changelog brings it back. */
    static StoreBuilder<OpenPoints> builder(
            String name, TopicCodec<MetricPoint> codec, Map<String, String> changelogConfig) {
        var inner = Stores.keyValueStoreBuilder(Stores.inMemoryKeyValueStore(name), Serdes.String(), Serdes.ByteArray())
                .withCachingDisabled()
                .withLoggingEnabled(changelogConfig);
        return new Builder(inner, codec);
    }

    private record Builder(StoreBuilder<KeyValueStore<String, byte[]>> inner, TopicCodec<MetricPoint> codec)
            implements StoreBuilder<OpenPoints> {

        @Override
        public OpenPoints build() {
            return new OpenPoints(inner.build(), codec);
        }

        @Override
        public StoreBuilder<OpenPoints> withCachingEnabled() {
            return this;
        }

        @Override
        public StoreBuilder<OpenPoints> withCachingDisabled() {
            return this;
        }

        @Override
        public StoreBuilder<OpenPoints> withLoggingEnabled(Map<String, String> config) {
            inner.withLoggingEnabled(config);
            return this;
        }

        @Override
        public StoreBuilder<OpenPoints> withLoggingDisabled() {
            inner.withLoggingDisabled();
            return this;
        }

        @Override
        public Map<String, String> logConfig() {
            return inner.logConfig();
        }

        @Override
        public boolean loggingEnabled() {
            return inner.loggingEnabled();
        }

        @Override
        public String name() {
            return inner.name();
        }
    }

    /** @param source writes into the store what must not be lost by the commit that follows */
    void beforeCommit(Consumer<Rollups.Store> source) {
        beforeCommit = source;
    }

    /** In the order of their steps. */
    List<MetricPoint> all() {
        var points = new ArrayList<MetricPoint>();
        try (KeyValueIterator<String, byte[]> all = inner.all()) {
            while (all.hasNext()) {
                KeyValue<String, byte[]> kept = all.next();
                if (!(codec.decode(kept.value) instanceof Decoded.Value<MetricPoint> known)) {
                    throw new IllegalStateException("what the sampler kept must be readable by it: key=" + kept.key);
                }
                points.add(known.value());
            }
        }
        points.sort(Comparator.comparingLong(MetricPoint::firstStep));
        return points;
    }

    @Override
    public void put(MetricPoint point) {
        inner.put(key(point), codec.encode(point));
    }

    @Override
    public void delete(MetricPoint point) {
        inner.delete(key(point));
    }

    // Attempts and names come from outside and may hold any character: lengths keep two keys from being equal.
    private static String key(MetricPoint point) {
        return point.pool() + "/" + point.job() + "/" + point.attempt().length() + ":" + point.attempt() + "/"
                + point.generation() + "/" + point.unit() + "/" + point.width() + "/" + point.bucket() + "/"
                + point.part() + "/" + point.name();
    }

    @Override
    public void flushCache() {
        if (beforeCommit != null) {
            beforeCommit.accept(this);
        }
    }

    @Override
    public void clearCache() {
        beforeCommit = null; // the task starts again from the changelog
    }

    @Override
    public boolean setFlushListener(CacheFlushListener<String, byte[]> listener, boolean sendOldValues) {
        return false;
    }

    @Override
    public String name() {
        return inner.name();
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {
        inner.init(context, root);
    }

    @Override
    public void close() {
        inner.close();
    }

    @Override
    public boolean persistent() {
        return inner.persistent();
    }

    @Override
    public boolean isOpen() {
        return inner.isOpen();
    }
}
