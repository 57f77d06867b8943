package io.myolotrain.worker.checkpoint;

import io.myolotrain.core.training.ParameterLayout;
import io.myolotrain.core.training.ParameterLayout.Shard;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Adam's moments as tensors: two per shard, named as PyTorch's optimizer state is. */
final class MomentTensors {
    private static final String FIRST = "exp_avg";
    private static final String SECOND = "exp_avg_sq";
    private static final Pattern NAME = Pattern.compile("shard\\.(\\d{1,9})\\.(exp_avg|exp_avg_sq)");

    private MomentTensors() {}

    static List<SafeTensorsWriter.Tensor> of(ParameterLayout layout, SortedMap<Integer, FloatBuffer> momentsByShard) {
        var tensors = new ArrayList<SafeTensorsWriter.Tensor>();
        momentsByShard.forEach((index, moments) -> {
            int length = layout.shards().get(index).length();
            if (moments.capacity() < 2 * length) {
                throw new IllegalArgumentException("moments hold 2 × length floats: shard=" + index + " length="
                        + length + " floats=" + moments.capacity());
            }
            List<Integer> dims = List.of(length);
            tensors.add(
                    new SafeTensorsWriter.Tensor(name(index, FIRST), dims, SafeTensorsWriter.contiguous(moments, 0)));
            tensors.add(new SafeTensorsWriter.Tensor(
                    name(index, SECOND), dims, SafeTensorsWriter.contiguous(moments, length)));
        });
        return tensors;
    }

    /** Shards whose two moments the file holds. */
    static SortedSet<Integer> shards(SafeTensorsReader reader) throws IOException {
        var first = new TreeSet<Integer>();
        var second = new TreeSet<Integer>();
        for (SafeTensorsHeader.Entry tensor : reader.tensors()) {
            Matcher matcher = NAME.matcher(tensor.name());
            if (!matcher.matches()) {
                throw new IOException("a moments file holds only shards' moments: tensor=" + tensor.name());
            }
            (matcher.group(2).equals(FIRST) ? first : second).add(Integer.parseInt(matcher.group(1)));
        }
        if (!first.equals(second)) {
            throw new IOException("each shard must have both moments: first=" + first + " second=" + second);
        }
        return first;
    }

    static void read(SafeTensorsReader reader, Shard shard, FloatBuffer moments) throws IOException {
        List<Integer> dims = List.of(shard.length());
        reader.read(name(shard.index(), FIRST), dims, into(moments, 0));
        reader.read(name(shard.index(), SECOND), dims, into(moments, shard.length()));
    }

    private static SafeTensorsReader.Receiver into(FloatBuffer moments, int offset) {
        return (first, chunk) -> moments.slice(Math.toIntExact(offset + first), chunk.remaining())
                .put(chunk);
    }

    private static String name(int shard, String moment) {
        return String.format(Locale.ROOT, "shard.%06d.%s", shard, moment);
    }
}
