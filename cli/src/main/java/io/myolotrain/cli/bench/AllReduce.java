package io.myolotrain.cli.bench;

import io.myolotrain.worker.comm.bench.AllReduceBench;
import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;

/** All-reduce in fixed tree order among processes, over shared memory, TCP and Gloo in turns. */
final class AllReduce implements Bench {
    @Override
    public String name() {
        return "allreduce";
    }

    @Override
    public String about() {
        return "all-reduce of 8 KiB and 1 MiB: shared memory against blocking TCP and Gloo";
    }

    @Override
    public Map<String, Double> run(Consumer<String> progress) throws IOException {
        progress.accept("2, 4 and 8 processes in turn; more ranks than cores is part of the measurement");
        return AllReduceBench.run(AllReduceBench.Options.standard());
    }
}
