package io.myolotrain.sampler;

import io.myolotrain.core.sampling.MetricPoint;
import io.myolotrain.topics.Decoded;
import io.myolotrain.topics.TopicCodec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/** Open points in a store, so that a roll-up goes on where it was after a restart. */
final class KeptPoints implements Rollups.Kept {
    private final KeyValueStore<String, byte[]> store;
    private final TopicCodec<MetricPoint> codec;

    KeptPoints(KeyValueStore<String, byte[]> store, TopicCodec<MetricPoint> codec) {
        this.store = store;
        this.codec = codec;
    }

    /** In the order of their steps. */
    static List<MetricPoint> recall(KeyValueStore<String, byte[]> store, TopicCodec<MetricPoint> codec) {
        var points = new ArrayList<MetricPoint>();
        try (KeyValueIterator<String, byte[]> all = store.all()) {
            while (all.hasNext()) {
                KeyValue<String, byte[]> kept = all.next();
                Decoded<MetricPoint> decoded = codec.decode(kept.value);
                if (!(decoded instanceof Decoded.Value<MetricPoint> known)) {
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
        store.put(key(point), codec.encode(point));
    }

    @Override
    public void delete(MetricPoint point) {
        store.delete(key(point));
    }

    // Attempts and names come from outside and may hold any character: lengths keep two keys from being equal.
    private static String key(MetricPoint point) {
        return point.pool() + "/" + point.job() + "/" + point.attempt().length() + ":" + point.attempt() + "/"
                + point.generation() + "/" + point.unit() + "/" + point.width() + "/" + point.bucket() + "/"
                + point.name();
    }
}
