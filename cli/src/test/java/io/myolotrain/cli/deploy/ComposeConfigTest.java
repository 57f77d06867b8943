package io.myolotrain.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** No container engine runs where the tests do, so what an engine would stumble over is checked on paper. */
class ComposeConfigTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern VARIABLE = Pattern.compile("(?<!\\$)\\$\\{([A-Z_]+)(:-[^}]*)?}");
    private static final Pattern ADDRESS =
            Pattern.compile("(?:(?:https?|PLAINTEXT|INTERNAL)://|(?<![\\w.-]))([a-z][a-z-]*):(\\d{2,5})\\b");
    private static final Pattern LISTENER = Pattern.compile("://[^:,]*:(\\d+)");

    private static String text;
    private static Map<String, Object> compose;
    private static Map<String, Object> services;
    private static List<String> dockerfile;

    @BeforeAll
    static void read() throws IOException {
        text = Files.readString(ROOT.resolve("docker-compose.yml"));
        compose = map(new Yaml(new SafeConstructor(new LoaderOptions())).load(text));
        services = map(compose.get("services"));
        String joined = Files.readString(ROOT.resolve("Dockerfile")).replaceAll("\\\\\\R\\s*", " ");
        dockerfile = joined.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
    }

    @SuppressWarnings("unchecked") // YAML mappings have string keys here
    private static Map<String, Object> map(Object node) {
        return node == null ? Map.of() : (Map<String, Object>) node;
    }

    private static Map<String, Object> service(String name) {
        return map(services.get(name));
    }

    private static List<String> strings(Object node) {
        return node == null
                ? List.of()
                : ((List<?>) node).stream().map(String::valueOf).toList();
    }

    private static List<String> instructions(String name) {
        return dockerfile.stream()
                .filter(line -> line.startsWith(name + " "))
                .map(line -> line.substring(name.length() + 1).strip())
                .toList();
    }

    @Test
    void every_part_of_the_system_is_a_service() {
        assertThat(services.keySet())
                .containsExactlyInAnyOrder("kafka", "registry", "coordinator", "sampler", "ui", "worker");
    }

    @Test
    void images_are_built_here_or_pinned_and_the_broker_is_the_version_of_the_build() throws IOException {
        Matcher kafka = Pattern.compile("<kafka.version>(.+)</kafka.version>")
                .matcher(Files.readString(ROOT.resolve("pom.xml")));
        assertThat(kafka.find()).isTrue();
        assertThat(service("kafka")).containsEntry("image", "apache/kafka:" + kafka.group(1));
        services.forEach((name, service) -> {
            String image = String.valueOf(map(service).get("image"));
            assertThat(image).as(name).matches("[a-z0-9./-]+:\\d[\\w.-]*");
            Map<String, Object> build = map(map(service).get("build"));
            if (image.startsWith("myolotrain:")) {
                Path context =
                        ROOT.resolve(String.valueOf(build.get("context"))).normalize();
                assertThat(context.resolve(String.valueOf(build.get("dockerfile"))))
                        .as(name)
                        .isRegularFile();
            } else {
                assertThat(build).as(name).isEmpty();
            }
        });
    }

    @Test
    void the_image_has_the_version_of_the_build() throws IOException {
        Matcher version = Pattern.compile("<artifactId>myolotrain-parent</artifactId>\\s*<version>(.+)</version>")
                .matcher(Files.readString(ROOT.resolve("pom.xml")));
        assertThat(version.find()).isTrue();
        for (String name : List.of("coordinator", "sampler", "ui", "worker")) {
            assertThat(service(name)).containsEntry("image", "myolotrain:" + version.group(1));
        }
    }

    @Test
    void services_wait_for_services_that_exist_and_say_when_they_are_healthy() {
        services.forEach((name, service) -> map(map(service).get("depends_on")).forEach((needed, condition) -> {
            assertThat(services).as(name + " needs").containsKey(needed);
            assertThat(map(condition)).containsEntry("condition", "service_healthy");
            assertThat(service(needed)).as(needed + " is waited for").containsKey("healthcheck");
        }));
        for (String name : List.of("coordinator", "sampler", "ui", "worker")) {
            assertThat(map(service(name).get("depends_on"))).as(name).containsOnlyKeys("kafka", "registry");
        }
    }

    @Test
    void every_address_names_a_service_and_a_port_on_which_it_listens() {
        Map<String, TreeSet<Integer>> listening = new TreeMap<>();
        listening.put("kafka", ports(map(service("kafka").get("environment")).get("KAFKA_LISTENERS")));
        listening.put(
                "registry", ports(map(service("registry").get("environment")).get("SCHEMA_REGISTRY_LISTENERS")));
        var found = new ArrayList<String>();
        services.forEach((name, service) -> {
            for (String key : List.of("command", "environment", "healthcheck")) {
                Matcher address = ADDRESS.matcher(String.valueOf(map(service).get(key)));
                while (address.find()) {
                    if (!address.group(1).equals("localhost")) {
                        assertThat(listening).as(name + " " + key).containsKey(address.group(1));
                        assertThat(listening.get(address.group(1)))
                                .as(name + " " + key)
                                .contains(Integer.parseInt(address.group(2)));
                        found.add(name + " -> " + address.group(1));
                    }
                }
            }
        });
        assertThat(found).contains("coordinator -> kafka", "worker -> registry", "registry -> kafka", "kafka -> kafka");
    }

    private static TreeSet<Integer> ports(Object listeners) {
        return LISTENER.matcher(String.valueOf(listeners))
                .results()
                .map(match -> Integer.parseInt(match.group(1)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void ports_are_published_on_loopback_only_and_lead_to_a_listener() {
        var published = new TreeMap<String, String>();
        services.forEach((name, service) -> strings(map(service).get("ports")).forEach(port -> {
            assertThat(port).as(name).startsWith("127.0.0.1:");
            published.put(name, port.substring(port.lastIndexOf(':') + 1));
        }));
        assertThat(published).containsOnlyKeys("kafka", "registry", "ui");
        assertThat(ports(map(service("kafka").get("environment")).get("KAFKA_LISTENERS")))
                .contains(Integer.parseInt(published.get("kafka")));
        assertThat(ports(map(service("registry").get("environment")).get("SCHEMA_REGISTRY_LISTENERS")))
                .contains(Integer.parseInt(published.get("registry")));
        List<String> ui = strings(service("ui").get("command"));
        assertThat(ui.get(ui.indexOf("--port") + 1)).isEqualTo(published.get("ui"));
    }

    @Test
    void the_host_listener_is_advertised_under_the_published_port() {
        String advertised =
                String.valueOf(map(service("kafka").get("environment")).get("KAFKA_ADVERTISED_LISTENERS"));
        String port = strings(service("kafka").get("ports")).get(0);
        String hostPort = port.substring("127.0.0.1:".length(), port.lastIndexOf(':'));
        assertThat(advertised).contains("HOST://localhost:" + hostPort);
    }

    @Test
    void listeners_have_a_protocol_each_and_a_quorum_that_is_the_broker_itself() {
        Map<String, Object> kafka = map(service("kafka").get("environment"));
        var names = Pattern.compile("([A-Z]+)://")
                .matcher(String.valueOf(kafka.get("KAFKA_LISTENERS")))
                .results()
                .map(match -> match.group(1))
                .toList();
        assertThat(String.valueOf(kafka.get("KAFKA_LISTENER_SECURITY_PROTOCOL_MAP"))
                        .split(","))
                .containsExactlyInAnyOrderElementsOf(
                        names.stream().map(name -> name + ":PLAINTEXT").toList());
        assertThat(names)
                .contains(
                        String.valueOf(kafka.get("KAFKA_INTER_BROKER_LISTENER_NAME")),
                        String.valueOf(kafka.get("KAFKA_CONTROLLER_LISTENER_NAMES")));
        assertThat(kafka).containsEntry("KAFKA_CONTROLLER_QUORUM_VOTERS", kafka.get("KAFKA_NODE_ID") + "@kafka:9093");
    }

    @Test
    void variables_are_those_of_the_example_file_and_only_the_token_has_no_default() throws IOException {
        var documented = new TreeMap<String, String>();
        for (String line : Files.readAllLines(ROOT.resolve(".env.example"))) {
            if (!line.isBlank() && !line.startsWith("#")) {
                documented.put(line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1));
            }
        }
        var used = new TreeSet<String>();
        for (MatchResult variable : VARIABLE.matcher(text).results().toList()) {
            used.add(variable.group(1));
            assertThat(variable.group(2)).as(variable.group()).isEqualTo(":-" + documented.get(variable.group(1)));
        }
        map(compose.get("secrets"))
                .forEach((name, secret) -> used.add(String.valueOf(map(secret).get("environment"))));
        assertThat(used).isEqualTo(documented.keySet());
        assertThat(documented.get("MYOLOTRAIN_UI_TOKEN"))
                .as("no secret in the repository")
                .isEmpty();
    }

    @Test
    void volumes_and_secrets_are_declared_and_mounted_where_the_program_looks() {
        var mounted = new TreeSet<String>();
        services.forEach((name, service) -> strings(map(service).get("volumes"))
                .forEach(volume -> mounted.add(volume.substring(0, volume.indexOf(':')))));
        assertThat(map(compose.get("volumes")).keySet()).isEqualTo(mounted);
        services.forEach((name, service) -> strings(map(service).get("secrets"))
                .forEach(secret -> assertThat(map(compose.get("secrets"))).containsKey(secret)));

        String imageVolumes = String.join(" ", instructions("VOLUME"));
        services.forEach((name, service) -> {
            if (String.valueOf(map(service).get("image")).startsWith("myolotrain:")) {
                strings(map(service).get("volumes")).forEach(volume -> assertThat(imageVolumes)
                        .as("owned by the image's user: " + volume)
                        .contains("\"" + volume.substring(volume.indexOf(':') + 1) + "\""));
            }
        });
        assertThat(strings(service("ui").get("command"))).contains("/run/secrets/ui-token");
        assertThat(strings(service("ui").get("secrets"))).containsExactly("ui-token");
        assertThat(worker()).contains("--checkpoints /checkpoints");
        assertThat(strings(service("worker").get("volumes"))).contains("checkpoints:/checkpoints");
    }

    private static String worker() {
        return strings(service("worker").get("command")).get(0);
    }

    @Test
    void replicas_of_the_worker_have_names_of_their_own() {
        assertThat(map(service("worker").get("deploy"))).containsEntry("replicas", "${MYOLOTRAIN_WORKERS:-4}");
        assertThat(worker()).contains("--id \"worker-$$HOSTNAME\"").contains("--address \"$$HOSTNAME\"");
        assertThat(service("worker"))
                .as("fixed names and ports do not repeat")
                .doesNotContainKeys("container_name", "ports", "hostname");
    }

    @Test
    void the_image_builds_from_files_that_exist_and_that_its_context_lets_in() throws IOException {
        List<String> ignored = Files.readAllLines(ROOT.resolve(".dockerignore"));
        var stages = new TreeSet<String>();
        for (String from : instructions("FROM")) {
            assertThat(from).as("base images are pinned").contains(":");
            if (from.contains(" AS ")) {
                stages.add(from.substring(from.indexOf(" AS ") + 4));
            }
        }
        for (String copy : instructions("COPY")) {
            String[] words = copy.split("\\s+");
            if (words[0].startsWith("--from=")) {
                assertThat(stages).contains(words[0].substring("--from=".length()));
            } else if (!words[0].equals(".")) {
                assertThat(ROOT.resolve(words[0])).exists();
                assertThat(ignored).contains("!" + words[0]);
            }
        }
        var modules = Pattern.compile("<module>([^</]+)")
                .matcher(Files.readString(ROOT.resolve("pom.xml")))
                .results()
                .map(match -> "!" + match.group(1))
                .toList();
        assertThat(ignored).containsAll(modules).contains("**", "!pom.xml", "!.mvn", "**/target");
        for (String line : ignored) {
            if (line.startsWith("!")) {
                assertThat(ROOT.resolve(line.substring(1))).exists();
            }
        }
    }

    @Test
    void the_image_runs_java_17_as_nobody_special() {
        List<String> from = instructions("FROM");
        assertThat(from.get(from.size() - 1)).startsWith("eclipse-temurin:17-jre");
        assertThat(instructions("USER")).containsExactly("myolotrain");
        Stream.of("coordinator", "sampler", "ui", "worker")
                .forEach(name ->
                        assertThat(strings(service(name).get("cap_drop"))).containsExactly("ALL"));
    }
}
