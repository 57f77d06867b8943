package io.myolotrain.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The containers' command lines are the program's: a renamed option must not be found out by whoever starts them. */
class ComposeCommandsTest {
    private static final String CONTAINER = "0a1b2c3d4e5f";
    private static final String SHELL_PREFIX = "exec myolotrain ";

    private static Map<String, List<String>> commands() throws IOException {
        Map<String, Object> compose = new Yaml(new SafeConstructor(new LoaderOptions()))
                .load(Files.readString(Path.of("..", "docker-compose.yml")));
        var commands = new TreeMap<String, List<String>>();
        for (var service : ((Map<?, ?>) compose.get("services")).entrySet()) {
            Map<?, ?> settings = (Map<?, ?>) service.getValue();
            if (String.valueOf(settings.get("image")).startsWith("myolotrain:")) {
                List<String> words = ((List<?>) settings.get("command"))
                        .stream().map(String::valueOf).toList();
                commands.put(String.valueOf(service.getKey()), words.size() == 1 ? shellWords(words.get(0)) : words);
            }
        }
        return commands;
    }

    /** As a shell would split it; quotes stand only around the container's name. */
    private static List<String> shellWords(String line) {
        assertThat(line).startsWith(SHELL_PREFIX);
        String expanded = line.substring(SHELL_PREFIX.length())
                .replace("$$HOSTNAME", CONTAINER)
                .replace("\"", "");
        assertThat(expanded).doesNotContain("$");
        return Arrays.asList(expanded.strip().split("\\s+"));
    }

    @Test
    void each_service_starts_the_component_that_it_is_named_after_with_options_that_exist() throws IOException {
        Map<String, List<String>> commands = commands();
        assertThat(commands).containsOnlyKeys("coordinator", "sampler", "ui", "worker");
        commands.forEach((service, words) -> {
            var parsed = Main.commandLine().parseArgs(words.toArray(String[]::new));
            assertThat(parsed.subcommand().commandSpec().name()).isEqualTo(service);
            assertThat(parsed.subcommand().unmatched()).isEmpty();
            String bootstrap = parsed.subcommand().matchedOptionValue("--bootstrap", "");
            assertThat(bootstrap).isEqualTo("kafka:9092");
        });
    }

    @Test
    void a_container_gives_its_worker_a_name_that_the_pool_takes() throws IOException {
        List<String> worker = commands().get("worker");
        assertThat(new io.myolotrain.core.model.WorkerId(worker.get(worker.indexOf("--id") + 1)).value())
                .isEqualTo("worker-" + CONTAINER);
    }
}
