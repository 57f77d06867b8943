package io.myolotrain.worker.checkpoint;

import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.training.ParameterLayout;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What bit-identity is checked by. */
public final class StateHash {
    private StateHash() {}

    /** SHA-256 (hex) over all parameters and moments of the checkpoint at this step, whatever the number of its writers. */
    public static String of(Path checkpoints, JobSpec spec, long step) {
        LoadedCheckpoint checkpoint =
                new CheckpointStore(checkpoints, FileLayer.disk()).open(spec.job(), spec.attempt(), step);
        var layout = ParameterLayout.of(spec.model());
        MessageDigest digest = sha256();
        FloatBuffer parameters = FloatBuffer.allocate(layout.size());
        checkpoint.readParameters(layout, parameters);
        add(digest, parameters);
        var moments = new TreeMap<Integer, FloatBuffer>(layout.shards().stream()
                .collect(Collectors.toMap(
                        ParameterLayout.Shard::index, shard -> FloatBuffer.allocate(2 * shard.length()))));
        checkpoint.readMoments(layout, moments);
        moments.values().forEach(buffer -> add(digest, buffer));
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static void add(MessageDigest digest, FloatBuffer floats) {
        FloatBuffer all = floats.duplicate().clear();
        ByteBuffer bytes = ByteBuffer.allocate(all.remaining() * Float.BYTES);
        bytes.asFloatBuffer().put(all);
        digest.update(bytes);
    }
}
