package io.myolotrain.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.ModelShape.Family;
import io.myolotrain.core.model.TrainingConfig.Precision;
import io.myolotrain.core.training.ParameterLayout.Shard;
import io.myolotrain.worker.engine.Fixtures.Batch;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bytedeco.javacpp.Pointer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Native memory and native loading, in processes of their own: JVM flags decide what can be seen. */
class NativeMemoryIT {
    @TempDir
    Path directory;

    @Test
    void eachStepFreesEveryPointerItMadeAndCloseFreesTheRest() throws Exception {
        // JavaCPP counts live pointers only when it tracks them for the collector; this heap is too large for one to
        // run
        String out = run(CountPointers.class, List.of("-Xms512m", "-Xmx512m", "-Xmn400m"));
        assertThat(figure(out, "afterSteps")).as(out).isEqualTo(figure(out, "afterWarmUp"));
        assertThat(figure(out, "afterClose")).as(out).isEqualTo(figure(out, "before"));
        assertThat(figure(out, "afterWarmUp")).as(out).isGreaterThan(figure(out, "before"));
    }

    @Test
    void aThousandStepsHoldNoMoreMemoryThanTwoHundred() throws Exception {
        var flags = new ArrayList<>(LaunchFlags.jvmFlags());
        flags.addAll(List.of("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch")); // what grows is not the Java heap
        String out = run(GrowMemory.class, flags);
        // one leaked (B, S, D) tensor per step would be 32 MB
        assertThat(figure(out, "grownBytes")).as(out).isLessThan(16L << 20);
    }

    @Test
    void severalProcessesLoadFromAColdCacheAtOnce() throws Exception {
        Path cache = Files.createDirectory(directory.resolve("cache"));
        var flags = new ArrayList<>(LaunchFlags.jvmFlags());
        flags.add("-Dorg.bytedeco.javacpp.cachedir=" + cache);
        var processes = new ArrayList<Process>();
        try {
            for (int i = 0; i < 3; i++) {
                processes.add(ChildJvm.start(OneStep.class, directory.resolve("out-" + i), flags));
            }
            for (int i = 0; i < processes.size(); i++) {
                await(processes.get(i), directory.resolve("out-" + i));
                assertThat(Files.readString(directory.resolve("out-" + i))).contains("loss=3");
            }
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }

    private String run(Class<?> main, List<String> flags) throws Exception {
        Path out = directory.resolve(main.getSimpleName());
        Process process = ChildJvm.start(main, out, flags);
        try {
            await(process, out);
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(out);
    }

    private static void await(Process process, Path out) throws Exception {
        assertThat(process.waitFor(10, TimeUnit.MINUTES)).as("ends in time").isTrue();
        assertThat(process.exitValue()).as(Files.readString(out)).isZero();
    }

    private static long figure(String out, String name) {
        Matcher matcher = Pattern.compile(name + "=(\\d+)").matcher(out);
        assertThat(matcher.find()).as(name + " in " + out).isTrue();
        return Long.parseLong(matcher.group(1));
    }

    /** A small job with everything that a step uses. */
    private static final class Job implements AutoCloseable {
        private final Batch batch;
        private final LibTorchTrainer trainer;
        private final FloatBuffer gradient;
        private final List<FloatBuffer> moments;
        private int step;

        Job(ModelShape shape, int batchSize) {
            batch = Batch.of(shape, batchSize, 1);
            trainer = new LibTorchTrainer(shape, 1);
            trainer.initialise();
            gradient = Fixtures.direct(trainer.layout().size());
            moments = Fixtures.moments(trainer);
        }

        float train(int steps) {
            float loss = 0;
            for (int i = 0; i < steps; i++) {
                step++;
                trainer.precision(step % 20 == 0 ? Precision.BF16 : Precision.FLOAT32);
                loss = trainer.gradient(step, 0, batch.tokens(), batch.targets(), gradient);
                for (Shard shard : trainer.layout().shards()) {
                    trainer.adamW(shard, gradient, 1, moments.get(shard.index()), step, Fixtures.ADAM_W);
                }
                trainer.evaluate(batch.tokens(), batch.targets());
            }
            return loss;
        }

        @Override
        public void close() {
            trainer.close();
        }
    }

    static final class CountPointers {
        public static void main(String[] args) {
            NativeLibraries.load();
            new Job(Fixtures.tiny(Family.BERT, 2, 2, 0.1), 2).close(); // what the class initialisers make, once
            System.out.println("before=" + Pointer.totalCount());
            try (var job = new Job(Fixtures.tiny(Family.GPT, 2, 2, 0.1), 2)) {
                job.train(2);
                System.out.println("afterWarmUp=" + Pointer.totalCount());
                job.train(40);
                System.out.println("afterSteps=" + Pointer.totalCount());
            }
            System.out.println("afterClose=" + Pointer.totalCount());
        }
    }

    static final class GrowMemory {
        public static void main(String[] args) {
            var shape = new ModelShape(Family.GPT, 1, 32, 2, 32, 32, 2, 0.1); // (8, 32, 32) floats are 32 KB
            try (var job = new Job(shape, 8)) {
                job.train(200);
                long before = Pointer.physicalBytes();
                job.train(1_000);
                System.out.println("grownBytes=" + Math.max(0, Pointer.physicalBytes() - before));
            }
        }
    }

    static final class OneStep {
        public static void main(String[] args) {
            try (var job = new Job(Fixtures.tiny(Family.GPT, 1, 1, 0), 2)) {
                System.out.println(NativeLibraries.kernel() + " loss=" + job.train(1));
            }
        }
    }
}
