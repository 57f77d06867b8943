package io.myolotrain.cli.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.myolotrain.cli.CommandFailure;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * One page of a real, headless Chromium, driven over its DevTools protocol: what is measured is what a person's browser does.
 * Has a profile of its own in a directory that goes with it.
 */
final class Chromium implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String LISTENING = "DevTools listening on ";
    private static final List<Path> PLACES = List.of(
            Path.of("/usr/bin/chromium"),
            Path.of("/usr/bin/chromium-browser"),
            Path.of("/usr/bin/google-chrome"),
            Path.of("/snap/bin/chromium"));
    private static final List<String> FLAGS = List.of(
            "--headless=new",
            "--remote-debugging-port=0",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--window-size=1280,900");
    private static final long ANSWER_TIMEOUT_S = 120;
    private static final long STOP_TIMEOUT_S = 10;

    private final Process process;
    private final Scratch profile;
    private final WebSocket socket;
    private final Answers answers;
    private final AtomicInteger ids = new AtomicInteger();
    private final String session;

    private Chromium(Process process, Scratch profile, WebSocket socket, Answers answers) throws InterruptedException {
        this.process = process;
        this.profile = profile;
        this.socket = socket;
        this.answers = answers;
        String target = call("", "Target.createTarget", Map.of("url", "about:blank"))
                .path("targetId")
                .asText();
        session = call("", "Target.attachToTarget", Map.of("targetId", target, "flatten", true))
                .path("sessionId")
                .asText();
        call("Page.enable", Map.of());
    }

    /** @throws CommandFailure that says where it looked and what to do, when there is no browser */
    static Path executable() {
        Optional<Path> told = Optional.ofNullable(System.getenv("CHROMIUM")).map(Path::of);
        List<Path> places = told.map(List::of).orElse(PLACES);
        return places.stream()
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> CommandFailure.error(
                        "this benchmark needs chromium: none at " + places,
                        "Install it (Debian: apt-get install chromium), or set CHROMIUM to its path."));
    }

    static Chromium start() throws IOException, InterruptedException {
        Path executable = executable();
        Scratch profile = Scratch.create();
        var command = new ArrayList<String>();
        command.add(executable.toString());
        command.addAll(FLAGS);
        command.add("--user-data-dir=" + profile.directory());
        command.add("about:blank");
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            URI devTools = devTools(process);
            var answers = new Answers();
            WebSocket socket = HttpClient.newHttpClient()
                    .newWebSocketBuilder()
                    .buildAsync(devTools, answers)
                    .get(ANSWER_TIMEOUT_S, TimeUnit.SECONDS);
            return new Chromium(process, profile, socket, answers);
        } catch (ExecutionException | TimeoutException e) {
            process.destroyForcibly();
            profile.close();
            throw new IOException("chromium must answer on its DevTools port", e);
        }
    }

    private static URI devTools(Process process) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
        String line;
        while ((line = lines.readLine()) != null) {
            if (line.startsWith(LISTENING)) {
                drain(lines);
                return URI.create(line.substring(LISTENING.length()).strip());
            }
        }
        throw new IOException("chromium must say where it listens; it ended with code "
                + process.onExit().join().exitValue());
    }

    /** A full pipe would stop the browser. */
    private static void drain(BufferedReader lines) {
        var thread = new Thread(() -> lines.lines().forEach(ignored -> {}), "chromium-stderr");
        thread.setDaemon(true);
        thread.start();
    }

    void open(String url) throws InterruptedException {
        call("Page.navigate", Map.of("url", url));
    }

    /** The value of a JavaScript expression; a promise is waited for. */
    JsonNode evaluate(String expression) throws InterruptedException {
        JsonNode answer =
                call("Runtime.evaluate", Map.of("expression", expression, "awaitPromise", true, "returnByValue", true));
        if (answer.has("exceptionDetails")) {
            throw new IllegalStateException("the page must be able to run: " + expression + ": "
                    + answer.path("exceptionDetails")
                            .path("exception")
                            .path("description")
                            .asText());
        }
        return answer.path("result").path("value");
    }

    /** Waits in the page, frame by frame, until the condition holds. */
    void await(String condition) throws InterruptedException {
        JsonNode held = evaluate("(async () => { const end = performance.now() + " + ANSWER_TIMEOUT_S * 900
                + "; while (!(" + condition + ")) { if (performance.now() > end) return false;"
                + " await new Promise(requestAnimationFrame); } return true; })()");
        if (!held.asBoolean()) {
            throw new IllegalStateException("the page must come to: " + condition + "; it shows: "
                    + evaluate("document.body.innerText.slice(0, 500)").asText());
        }
    }

    /** JavaScript heap in use, after a collection. */
    double heapBytes() throws InterruptedException {
        call("HeapProfiler.collectGarbage", Map.of());
        return call("Runtime.getHeapUsage", Map.of()).path("usedSize").asDouble();
    }

    private JsonNode call(String method, Map<String, Object> parameters) throws InterruptedException {
        return call(session, method, parameters);
    }

    private JsonNode call(String inSession, String method, Map<String, Object> parameters) throws InterruptedException {
        int id = ids.incrementAndGet();
        ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
        message.set("params", JSON.valueToTree(parameters));
        if (!inSession.isEmpty()) {
            message.put("sessionId", inSession);
        }
        CompletableFuture<JsonNode> answer = answers.expect(id);
        try {
            socket.sendText(message.toString(), true).get(ANSWER_TIMEOUT_S, TimeUnit.SECONDS);
            JsonNode got = answer.get(ANSWER_TIMEOUT_S, TimeUnit.SECONDS);
            if (got.has("error")) {
                throw new IllegalStateException("chromium must accept " + method + ": " + got.path("error"));
            }
            return got.path("result");
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("chromium must answer " + method + " within " + ANSWER_TIMEOUT_S + " s", e);
        }
    }

    @Override
    public void close() {
        List<ProcessHandle> all = Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .toList();
        socket.abort();
        process.destroy();
        for (ProcessHandle each : all) { // the profile can be deleted when the last of them has ended
            try {
                each.onExit().get(STOP_TIMEOUT_S, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                each.destroyForcibly();
                each.onExit().join();
            } catch (InterruptedException e) {
                each.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
        profile.close();
    }

    /** Gives each answer to whoever asked. Events that nobody asked for are passed over. */
    private static final class Answers implements WebSocket.Listener {
        private final Map<Integer, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
        private final StringBuilder text = new StringBuilder();

        CompletableFuture<JsonNode> expect(int id) {
            var answer = new CompletableFuture<JsonNode>();
            waiting.put(id, answer);
            return answer;
        }

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                try {
                    JsonNode message = JSON.readTree(text.toString());
                    CompletableFuture<JsonNode> answer =
                            waiting.remove(message.path("id").asInt(-1));
                    if (answer != null) {
                        answer.complete(message);
                    }
                } catch (IOException e) {
                    onError(socket, e);
                }
                text.setLength(0);
            }
            socket.request(1);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void onError(WebSocket socket, Throwable error) {
            waiting.values().forEach(answer -> answer.completeExceptionally(error));
        }
    }
}
