package io.myolotrain.ui;

import io.myolotrain.core.model.PoolId;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * @param host address to listen on; beyond loopback only with a token, because whoever reaches the page can change jobs
 * @param port 0 = any free one
 * @param pool the pool that this server shows
 * @param token when present, every API call must carry it as {@code Authorization: Bearer …}
 * @param stateDirectory where what was read of decisions is kept for the next start, of one server at a time; may be deleted at
 *     any time. Empty: each start reads all decisions
 */
public record UiOptions(String host, int port, PoolId pool, Optional<String> token, Optional<Path> stateDirectory) {
    public static final int DEFAULT_PORT = 8_088;
    private static final int TOKEN_CHARS_MIN = 16;
    private static final Set<String> LOOPBACK_NAMES = Set.of("localhost", "::1", "[::1]");
    // An address, not a name: 127.0.0.1.example.org is anyone's.
    private static final Pattern LOOPBACK_V4 = Pattern.compile("127(?:\\.\\d{1,3}){3}");

    public UiOptions {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port must be in [0, 65535]: port=" + port);
        }
        token.ifPresent(t -> {
            if (t.length() < TOKEN_CHARS_MIN) {
                throw new IllegalArgumentException(
                        "a token has at least " + TOKEN_CHARS_MIN + " characters: characters=" + t.length());
            }
        });
        if (!isLoopback(host) && token.isEmpty()) {
            throw new IllegalArgumentException("beyond loopback the web UI listens only with a token: host=" + host
                    + " token=none; start it with --token-file FILE, or leave --host at 127.0.0.1");
        }
    }

    public static UiOptions loopback(int port, PoolId pool) {
        return new UiOptions("127.0.0.1", port, pool, Optional.empty(), Optional.empty());
    }

    public UiOptions keptIn(Path directory) {
        return new UiOptions(host, port, pool, token, Optional.of(directory));
    }

    public boolean onLoopback() {
        return isLoopback(host);
    }

    /** Names and addresses that no other machine can reach. */
    public static boolean isLoopback(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        return LOOPBACK_NAMES.contains(name) || LOOPBACK_V4.matcher(name).matches();
    }

    @Override
    public String toString() {
        return "UiOptions[host=" + host + ", port=" + port + ", pool=" + pool + ", token="
                + (token.isPresent() ? "set" : "none") + ", stateDirectory="
                + stateDirectory.map(Path::toString).orElse("none") + "]";
    }
}
