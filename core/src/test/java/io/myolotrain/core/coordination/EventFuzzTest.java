package io.myolotrain.core.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.Seeds;
import io.myolotrain.core.encoding.CanonicalCodec;
import io.myolotrain.core.model.ModelShape;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Invariant 7: whatever an outsider writes into an event, the coordinator answers and goes on. */
class EventFuzzTest {
    private static final int SEEDS = 40;
    private static final int EVENTS = 300;
    private static final String[] TEXTS = {
        "job",
        "attempt-1",
        "w1",
        "w2",
        "w3",
        "pool",
        "host",
        "",
        " ",
        "workers",
        "batch",
        "lr",
        "state",
        "steps",
        "4",
        "0",
        "64",
        "running",
        "stopped",
        "paused",
        "plan:job:1",
        "plan:job:2",
        "plan::",
        "\u0000\n",
        "x".repeat(5_000),
        "ü"
    };
    private static final long[] NUMBERS = {
        0, 1, 2, 3, 4, 8, 32, 64, 100, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE
    };
    private static final double[] DECIMALS = {0, 1e-3, 0.5, 1, -1, Double.NaN, Double.POSITIVE_INFINITY, 1e308};

    /** Most random shapes refuse themselves; these pass, and two of them must be refused later. */
    private static final ModelShape[] SHAPES = {
        new ModelShape(ModelShape.Family.GPT, 1, 8, 2, 8, 256, 1, 0),
        new ModelShape(ModelShape.Family.BERT, 2, 64, 4, 64, 300, 4, 0.1),
        new ModelShape(ModelShape.Family.GPT, 1_024, 65_536, 65_536, 1 << 20, 65_536, 65_536, 0),
        new ModelShape(ModelShape.Family.GPT, 1_024, 4_096, 64, 1_024, 50_000, 1, 0)
    };

    @Test
    void noEventStopsTheCoordinatorAndItsStateSurvivesASnapshot() {
        var codec = new CanonicalCodec();
        for (long seed : Seeds.of(SEEDS).toArray()) {
            var random = new Random(seed);
            var pool = new Pool();
            pool.join("w1", "w2", "w3");
            pool.submit(2, 100);
            pool.applied();
            for (int i = 0; i < EVENTS; i++) {
                Event event = random.nextInt(6) == 0 ? honest(pool, random) : (Event) any(Event.class, random);
                try {
                    pool.on(event);
                } catch (RuntimeException e) {
                    throw new AssertionError("seed=" + seed + " i=" + i + " event=" + event, e);
                }
            }
            byte[] snapshot = codec.encode(pool.state, ClusterState.class);
            ClusterState restored = codec.decode(snapshot, ClusterState.class);
            assertThat(restored).as("seed=%s", seed).isEqualTo(pool.state);
            assertThat(new StateHasher().hash(restored))
                    .as("seed=%s", seed)
                    .isEqualTo(pool.decisions.get(pool.decisions.size() - 1).stateHash());
        }
    }

    /** Keeps the fuzz near where it matters: plans are applied, steps are made. */
    private static Event honest(Pool pool, Random random) {
        JobState job = pool.job();
        var plan = job.pending().or(job::active);
        if (plan.isEmpty()) {
            return new Event.WorkerJoined(Pool.worker(Pool.ref("w" + random.nextInt(4), random.nextInt(9)), "host"));
        }
        var member = plan.get().members().get(0);
        return random.nextBoolean()
                ? Pool.stepBy(plan.get(), member, job.committedStep() + 1)
                : new Event.PlanApplied(
                        Pool.JOB,
                        job.spec().attempt(),
                        plan.get().generation(),
                        member.worker().ref(),
                        1,
                        0,
                        0);
    }

    private static Object any(Type type, Random random) {
        if (type instanceof ParameterizedType generic) {
            return anyOf(generic, random);
        }
        var raw = (Class<?>) type;
        if (raw.isSealed()) {
            Class<?>[] kinds = raw.getPermittedSubclasses();
            return any(kinds[random.nextInt(kinds.length)], random);
        }
        if (raw == ModelShape.class) {
            return SHAPES[random.nextInt(SHAPES.length)];
        }
        if (raw.isRecord()) {
            return anyRecord(raw, random);
        }
        if (raw.isEnum()) {
            Object[] constants = raw.getEnumConstants();
            return constants[random.nextInt(constants.length)];
        }
        if (raw == String.class) {
            return TEXTS[random.nextInt(TEXTS.length)];
        }
        long number = NUMBERS[random.nextInt(NUMBERS.length)];
        if (raw == long.class || raw == Long.class) {
            return number;
        }
        return raw == int.class ? (Object) (int) number : (Object) DECIMALS[random.nextInt(DECIMALS.length)];
    }

    private static Object anyOf(ParameterizedType type, Random random) {
        Type[] arguments = type.getActualTypeArguments();
        int count = random.nextInt(4);
        if (type.getRawType() == List.class) {
            var list = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                list.add(any(arguments[0], random));
            }
            return list;
        }
        if (type.getRawType() == Optional.class) {
            return count == 0 ? Optional.empty() : Optional.of(any(arguments[0], random));
        }
        var map = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            map.put(any(arguments[0], random), any(arguments[1], random));
        }
        return map;
    }

    /** Records refuse some values themselves; then others are drawn. */
    private static Object anyRecord(Class<?> type, Random random) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        while (true) {
            Object[] values = Arrays.stream(components)
                    .map(component -> any(component.getGenericType(), random))
                    .toArray();
            try {
                Constructor<?> constructor = type.getDeclaredConstructor(types);
                return constructor.newInstance(values);
            } catch (InvocationTargetException e) {
                assertThat(e.getCause()).isInstanceOfAny(IllegalArgumentException.class, ArithmeticException.class);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }
    }
}
