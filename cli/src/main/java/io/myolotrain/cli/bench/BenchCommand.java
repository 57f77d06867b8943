package io.myolotrain.cli.bench;

import io.myolotrain.cli.CommandFailure;
import io.myolotrain.cli.output.JsonOutput;
import io.myolotrain.cli.output.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "bench",
        description =
                "Measures one thing as ratios against a baseline of the same run. Without a name, lists what there is.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  myolotrain bench                         what can be measured",
            "  myolotrain bench planner",
            "  myolotrain bench plan-latency --json     one JSON object: name, figures, machine"
        })
public final class BenchCommand implements Callable<Integer> {
    private static final List<Bench> ALL = List.of(
            new TrainBench(),
            new AllReduce(),
            new LogOverheadBench(),
            new ResizeBench(),
            new RecoveryBench(),
            new FaultsBench(),
            new PlanLatencyBench(),
            new PlannerBench(),
            new SamplerBench(),
            new UiBench());

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "What to measure.")
    private @Nullable String name;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        var out = spec.commandLine().getOut();
        if (name == null) {
            Table table = new Table("NAME", "MEASURES");
            ALL.forEach(bench -> table.row(bench.name(), bench.about()));
            out.print(table);
            return 0;
        }
        Bench bench = named(name);
        var err = spec.commandLine().getErr();
        Map<String, Double> figures = bench.run(line -> {
            err.println(bench.name() + ": " + line);
            err.flush();
        });
        out.print(json ? json(bench, figures) : table(figures));
        out.flush();
        return 0;
    }

    private static Bench named(String name) {
        return ALL.stream()
                .filter(bench -> bench.name().equals(name))
                .findFirst()
                .orElseThrow(() -> CommandFailure.usage(
                        "a benchmark must be one of those that exist: name=" + name,
                        "There are: " + ALL.stream().map(Bench::name).collect(Collectors.joining(", "))));
    }

    private static String json(Bench bench, Map<String, Double> figures) {
        var result = new LinkedHashMap<String, Object>();
        result.put("name", bench.name());
        result.put("figures", figures);
        result.put("machine", Machine.describe());
        return JsonOutput.line(result) + System.lineSeparator();
    }

    private static String table(Map<String, Double> figures) {
        Table table = new Table("FIGURE", "VALUE");
        figures.forEach((key, value) -> table.row(key, String.format(Locale.ROOT, "%.3f", value)));
        StringBuilder machine = new StringBuilder();
        Machine.describe()
                .forEach((key, value) ->
                        machine.append(key).append(": ").append(value).append('\n'));
        return table + "\n" + machine;
    }
}
