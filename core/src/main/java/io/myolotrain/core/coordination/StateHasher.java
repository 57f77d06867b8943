package io.myolotrain.core.coordination;

import io.myolotrain.core.encoding.CanonicalCodec;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.PoolId;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Supplier;

/**
 * SHA-256 of a state's canonical encoding, as a tree of digests: the pool's workers, each job and each plan are hashed on
 * their own, and a digest is remembered for as long as its very instance stays in the state. So an entry costs what it
 * changed, not what the pool holds; a plan of 65,536 shards is hashed once. The result depends on values alone.
 *
 * <pre>
 *  state ─┬─ pool
 *         ├─ workers (one digest)
 *         ├─ jobs ─── job ─── plans in force, pending, overtaken (one digest each)
 *         ├─ timers
 *         └─ last offset
 * </pre>
 *
 * One thread.
 */
public final class StateHasher {
    private final CanonicalCodec plain = new CanonicalCodec();
    private final CanonicalCodec withPlanDigests = new CanonicalCodec(
            type -> type == Plan.class ? Optional.of(plan -> planDigest((Plan) plan)) : Optional.empty());

    /** Digests that the last state used, by identity; looked up only. */
    private IdentityHashMap<Object, byte[]> remembered = new IdentityHashMap<>();

    private IdentityHashMap<Object, byte[]> used = new IdentityHashMap<>();

    /** @return 64 hexadecimal digits */
    public String hash(ClusterState state) {
        used = new IdentityHashMap<>();
        MessageDigest all = sha256();
        all.update(plain.encode(state.pool(), PoolId.class));
        all.update(remember(state.workers(), () -> workersDigest(state)));
        all.update(number(state.jobs().size()));
        for (JobState job : state.jobs().values()) {
            all.update(jobDigest(job));
        }
        all.update(number(state.timers().size()));
        timers(state.timers(), all);
        all.update(number(state.lastOffset()));
        remembered = used;
        return HexFormat.of().formatHex(all.digest());
    }

    private void timers(SortedMap<String, Long> timers, MessageDigest into) {
        timers.forEach((name, dueMs) -> {
            into.update(plain.encode(name, String.class));
            into.update(number(dueMs));
        });
    }

    private byte[] workersDigest(ClusterState state) {
        MessageDigest digest = sha256();
        for (PoolWorker worker : state.workers().values()) {
            digest.update(plain.encode(worker, PoolWorker.class));
        }
        return digest.digest();
    }

    private byte[] jobDigest(JobState job) {
        // Plans are asked for each time, so that they stay remembered while the job's own digest is.
        job.plans().active().ifPresent(this::planDigest);
        job.plans().pending().ifPresent(this::planDigest);
        job.plans().overtaken().forEach(this::planDigest);
        return remember(job, () -> sha256().digest(withPlanDigests.encode(job, JobState.class)));
    }

    private byte[] planDigest(Plan plan) {
        return remember(plan, () -> sha256().digest(plain.encode(plan, Plan.class)));
    }

    private byte[] remember(Object instance, Supplier<byte[]> digest) {
        byte[] known = used.get(instance);
        if (known == null) {
            known = remembered.get(instance);
        }
        if (known == null) {
            known = digest.get();
        }
        used.put(instance, known);
        return known;
    }

    private static byte[] number(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
