package io.myolotrain.cli.doctor;

import io.myolotrain.cli.CommandFailure;
import io.myolotrain.cli.ExitCodes;
import io.myolotrain.cli.client.ClusterView;
import io.myolotrain.cli.client.Session;
import io.myolotrain.cli.option.JobArgument;
import io.myolotrain.cli.option.PoolOptions;
import io.myolotrain.cli.output.JsonOutput;
import io.myolotrain.core.coordination.JobState;
import io.myolotrain.core.diagnosis.Finding;
import io.myolotrain.core.diagnosis.JobDoctor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "job",
        description =
                "Says whether a job goes on and, if not, why: the rank, its worker, the collective with its sequence number, "
                        + "and who has not arrived. Exits with 1 when something holds the job up.",
        footerHeading = "%nExamples:%n",
        footer = {"  myolotrain doctor job demo", "  myolotrain doctor job demo --json | jq -r '.findings[].what'"})
final class DoctorJobCommand implements Callable<Integer> {
    @Mixin
    private final JobArgument argument = new JobArgument();

    @Mixin
    private final PoolOptions pool = new PoolOptions();

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        try (Session session = pool.open();
                ClusterView view = ClusterView.open(session);
                Stethoscope stethoscope = Stethoscope.open(session)) {
            JobState job = view.state()
                    .job(argument.id())
                    .orElseThrow(() -> CommandFailure.error(
                            "no such job in pool " + session.pool() + ": job=" + argument.id(),
                            "'myolotrain job list' shows the jobs that there are."));
            List<Finding> findings = JobDoctor.examine(view.state(), job, stethoscope.heard());
            var out = spec.commandLine().getOut();
            out.print(json ? JsonOutput.line(fields(job, findings)) + System.lineSeparator() : text(job, findings));
            out.flush();
            return JobDoctor.isHeldUp(findings) ? ExitCodes.ERROR : ExitCodes.OK;
        }
    }

    private static String text(JobState job, List<Finding> findings) {
        var text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "%s: %s, step %d of %d%n",
                job.id(),
                job.phase(),
                job.committedStep(),
                job.desired().maxSteps()));
        for (Finding finding : findings) {
            text.append(String.format(
                    Locale.ROOT, "  %-5s  %s%n", finding.severity().name().toLowerCase(Locale.ROOT), finding.what()));
            if (!finding.advice().isEmpty()) {
                text.append("         ").append(finding.advice()).append(System.lineSeparator());
            }
        }
        return text.toString();
    }

    private static Map<String, Object> fields(JobState job, List<Finding> findings) {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("job", job.id().value());
        fields.put("phase", job.phase().name());
        fields.put("step", job.committedStep());
        fields.put("findings", findings.stream().map(DoctorJobCommand::fields).toList());
        return fields;
    }

    private static Map<String, Object> fields(Finding finding) {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("severity", finding.severity().name());
        fields.put("worker", finding.worker());
        fields.put("rank", finding.rank());
        fields.put("what", finding.what());
        fields.put("advice", finding.advice());
        return fields;
    }
}
