package io.myolotrain.cli.job;

import io.myolotrain.cli.CommandFailure;
import io.myolotrain.cli.client.Request;
import io.myolotrain.cli.client.Session;
import io.myolotrain.cli.option.JobArgument;
import io.myolotrain.cli.option.PoolOptions;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.JobSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "submit",
        description = "Submits a training job. The defaults are those of the demo: a small GPT on bytes of text.",
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  myolotrain job submit my-gpt --data ./texts",
            "  myolotrain job submit my-gpt --data ./texts --layers 6 --hidden 192 --heads 6 --workers 4 --batch 64",
            "  myolotrain job submit my-bert --family bert --data /data/tokens.bin --vocab 50257"
        })
final class JobSubmitCommand implements Callable<Integer> {
    @Mixin
    private final JobArgument job = new JobArgument();

    @Option(
            names = "--data",
            required = true,
            paramLabel = "DIR|JAR|FILE",
            description = "Text files in a directory or jar, or a uint16 token file; the same path on every worker.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path data;

    @Mixin
    private final TrainingOptions training = new TrainingOptions();

    @Mixin
    private final PoolOptions pool = new PoolOptions();

    @Mixin
    private final Request request = new Request();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (!Files.isReadable(data)) {
            throw CommandFailure.usage("the data must be readable: --data " + data, "Check the path and its rights.");
        }
        JobSpec wanted =
                training.spec(job.id(), pool.pool(), data.toAbsolutePath().normalize());
        try (Session session = pool.open()) {
            return request.run(session, spec, job.id(), new Event.JobSubmitted(wanted, Session.person()));
        }
    }
}
