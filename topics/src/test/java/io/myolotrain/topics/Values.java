package io.myolotrain.topics;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.Mesh;
import io.myolotrain.core.model.MicroBatchRange;
import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.Rank;
import io.myolotrain.core.model.WorkerId;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.core.sampling.AttentionMap;
import io.myolotrain.core.sampling.Frame;
import io.myolotrain.core.sampling.Histogram;
import io.myolotrain.core.sampling.Histograms;
import io.myolotrain.core.sampling.Line;
import io.myolotrain.core.sampling.Matrix;
import io.myolotrain.core.sampling.MetricPattern;
import io.myolotrain.core.sampling.MetricPoint;
import io.myolotrain.core.sampling.SamplingPolicy;
import io.myolotrain.core.sampling.Spans;
import io.myolotrain.core.sampling.Summary;
import io.myolotrain.core.sampling.Window;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/** Random values of core's records, by their components; only types with rules of their own are spelled out. */
final class Values {
    private static final double[] DOUBLES = {0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.MIN_VALUE, 1e-3};

    private final Random random;

    Values(long seed) {
        this.random = new Random(seed);
    }

    <T> T of(Class<T> type) {
        return type.cast(value(type));
    }

    private Object value(Type type) {
        if (type instanceof ParameterizedType generic) {
            return container(generic);
        }
        Class<?> raw = (Class<?>) type;
        if (raw == int.class || raw == Integer.class) {
            return 1 + random.nextInt(8); // small and positive: legal for every count and size
        } else if (raw == long.class || raw == Long.class) {
            return 1 + (random.nextBoolean() ? random.nextInt(100) : random.nextLong() >>> 2); // sums of two stay legal
        } else if (raw == double.class) {
            return random.nextBoolean() ? random.nextGaussian() : DOUBLES[random.nextInt(DOUBLES.length)];
        } else if (raw == float.class || raw == Float.class) {
            return (float) random.nextGaussian();
        } else if (raw == String.class) {
            return text();
        } else if (raw == byte[].class) {
            byte[] bytes = new byte[random.nextInt(50)];
            random.nextBytes(bytes);
            return bytes;
        } else if (raw.isEnum()) {
            Object[] constants = raw.getEnumConstants();
            return constants[random.nextInt(constants.length)];
        }
        return record(raw);
    }

    private Object container(ParameterizedType type) {
        Class<?> raw = (Class<?>) type.getRawType();
        Type element = type.getActualTypeArguments()[0];
        if (raw == List.class) {
            var list = new ArrayList<Object>();
            for (int size = random.nextInt(4); size > 0; size--) {
                list.add(value(element));
            }
            return list;
        } else if (raw == Optional.class) {
            return random.nextBoolean() ? Optional.empty() : Optional.of(value(element));
        } else if (raw == SortedMap.class) {
            var map = new TreeMap<Object, Object>();
            for (int size = random.nextInt(4); size > 0; size--) {
                map.put(value(element), value(type.getActualTypeArguments()[1]));
            }
            return map;
        }
        throw new IllegalArgumentException("tell Values how to make a " + type);
    }

    private Object record(Class<?> type) {
        if (type == JobId.class) {
            return new JobId(name());
        } else if (type == PoolId.class) {
            return new PoolId(name());
        } else if (type == WorkerId.class) {
            return new WorkerId(name());
        } else if (type == WorkerRef.class) {
            return new WorkerRef(new WorkerId(name()), random.nextInt(1_000));
        } else if (type == Generation.class) {
            return new Generation(random.nextInt(1_000));
        } else if (type == Rank.class) {
            return new Rank(random.nextInt(100));
        } else if (type == Mesh.class) {
            return Mesh.dataParallel(1 + random.nextInt(8));
        } else if (type == MicroBatchRange.class) {
            return new MicroBatchRange(random.nextInt(100), 1 + random.nextInt(100));
        } else if (type == ModelShape.class) {
            return new ModelShape(ModelShape.Family.BERT, 2, 64, 4, 128, 256, 2, random.nextDouble());
        } else if (type == MetricPattern.class) {
            return new MetricPattern(name() + "*");
        } else if (type == SamplingPolicy.ByTime.class) {
            return new SamplingPolicy.ByTime(100 + random.nextInt(1_000));
        } else if (type == SamplingPolicy.ByStep.class) {
            return new SamplingPolicy.ByStep(1 + random.nextInt(1_000));
        } else if (type == Summary.class) {
            return Summary.of(random.nextInt(100), DOUBLES[random.nextInt(DOUBLES.length)]);
        } else if (type == MetricPoint.class) {
            return point();
        } else if (Frame.class.isAssignableFrom(type) && type.isRecord()) {
            return frame(type);
        } else if (type.isRecord()) {
            return byComponents(type);
        } else if (type.isSealed()) {
            Class<?>[] kinds = type.getPermittedSubclasses();
            return record(kinds[random.nextInt(kinds.length)]);
        }
        throw new IllegalArgumentException("tell Values how to make a " + type);
    }

    private MetricPoint point() {
        long step = random.nextInt(1_000);
        long atMs = 1_700_000_000_000L + random.nextInt(1_000);
        return new MetricPoint(
                of(Line.class),
                text(),
                of(Window.class),
                random.nextLong() >>> 1,
                step,
                step + random.nextInt(10),
                atMs,
                atMs + random.nextInt(10),
                of(Summary.class));
    }

    private Frame frame(Class<?> type) {
        if (type == Histograms.class) {
            var layers = new ArrayList<Histogram>();
            for (int layer = -1; layer < random.nextInt(4); layer++) {
                layers.add(new Histogram(
                        layer,
                        random.nextInt(60),
                        List.of(1L, 0L, 3L),
                        1,
                        2,
                        3,
                        4,
                        random.nextDouble(),
                        random.nextBoolean() ? random.nextDouble() : Double.NaN));
            }
            return new Histograms(name(), layers);
        } else if (type == Matrix.class) {
            return new Matrix(name(), 2, 3, List.of(1f, 2f, Float.NaN, 4f, 5f, 6f));
        } else if (type == Spans.class) {
            var spans = new ArrayList<Spans.Span>();
            for (Spans.Phase phase : Spans.Phase.values()) {
                long begin = random.nextInt(1_000) - 500;
                Optional<Spans.Collective> collective =
                        random.nextBoolean() ? Optional.empty() : Optional.of(of(Spans.Collective.class));
                spans.add(new Spans.Span(phase, begin, begin + random.nextInt(1_000), collective));
            }
            return new Spans(name(), 1_700_000_000_000_000L, spans);
        } else if (type == AttentionMap.class) {
            return AttentionMap.reduced(
                    name(), text(), 1, 2, List.of("a", "b"), 3, new float[] {1, 0, 0, 0, 1, 0, 0, 0, 1});
        }
        throw new IllegalArgumentException("tell Values how to make a " + type);
    }

    private Object byComponents(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Object[] arguments =
                Arrays.stream(components).map(c -> value(c.getGenericType())).toArray();
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            constructor.setAccessible(true);
            return constructor.newInstance(arguments);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("record " + type + " with " + Arrays.toString(arguments), e);
        }
    }

    private String name() {
        return "w" + Integer.toString(random.nextInt(1_000_000), 36);
    }

    private String text() {
        return switch (random.nextInt(4)) {
            case 0 -> "";
            case 1 -> "größer als 1 → 雪";
            case 2 -> "x".repeat(random.nextInt(300));
            default -> Long.toHexString(random.nextLong());
        };
    }

    byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
