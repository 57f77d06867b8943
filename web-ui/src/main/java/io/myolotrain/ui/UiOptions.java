package io.myolotrain.ui;

import io.myolotrain.core.model.PoolId;
import java.util.Optional;

/**
 * @param host address to listen on; anything but loopback should come with a token
 * @param port 0 = any free one
 * @param pool the pool that this server shows
 * @param token when present, every API call must carry it as {@code Authorization: Bearer …}
 */
public record UiOptions(String host, int port, PoolId pool, Optional<String> token) {
    public static final int DEFAULT_PORT = 8_088;
    private static final int TOKEN_CHARS_MIN = 16;

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
    }

    public static UiOptions loopback(int port, PoolId pool) {
        return new UiOptions("127.0.0.1", port, pool, Optional.empty());
    }

    public boolean onLoopback() {
        return host.equals("localhost") || host.equals("::1") || host.startsWith("127.");
    }

    @Override
    public String toString() {
        return "UiOptions[host=" + host + ", port=" + port + ", pool=" + pool + ", token="
                + (token.isPresent() ? "set" : "none") + "]";
    }
}
