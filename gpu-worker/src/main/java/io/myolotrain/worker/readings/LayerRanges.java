package io.myolotrain.worker.readings;

import io.myolotrain.core.training.ParameterLayout;
import io.myolotrain.core.training.ParameterLayout.Parameter;
import io.myolotrain.core.training.ParameterLayout.Shard;
import java.util.ArrayList;
import java.util.List;

/** Where each layer stands in the flat buffers: cells of one layer lie side by side, and no shard crosses a cell. */
final class LayerRanges {
    private final List<Layer> layers = new ArrayList<>();

    /** @param firstShard index of the layer's first shard */
    record Layer(int layer, int offset, int length, int firstShard, int shards) {}

    LayerRanges(ParameterLayout layout) {
        int shard = 0;
        int at = 0;
        List<Parameter> parameters = layout.parameters();
        while (at < parameters.size()) {
            int layer = parameters.get(at).cell().layer();
            int offset = parameters.get(at).offset();
            int end = offset;
            while (at < parameters.size() && parameters.get(at).cell().layer() == layer) {
                end = parameters.get(at).offset() + parameters.get(at).size();
                at++;
            }
            int first = shard;
            while (shard < layout.shards().size() && endOf(layout.shards().get(shard)) <= end) {
                shard++;
            }
            layers.add(new Layer(layer, offset, end - offset, first, shard - first));
        }
    }

    private static int endOf(Shard shard) {
        return shard.offset() + shard.length();
    }

    List<Layer> layers() {
        return layers;
    }
}
