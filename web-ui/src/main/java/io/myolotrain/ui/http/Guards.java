package io.myolotrain.ui.http;

import io.myolotrain.ui.UiOptions;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Who may call: headers that keep a browser strict, the host name, the token, and the origin of what changes something. */
final class Guards {
    // No inline script or style, no other host, no frame; a script can't be made from text (trusted types).
    static final String CONTENT_SECURITY_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; "
            + "img-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

    private final UiOptions options;

    Guards(UiOptions options) {
        this.options = options;
    }

    void headers(RoutingContext ctx) {
        ctx.response()
                .putHeader("Content-Security-Policy", CONTENT_SECURITY_POLICY)
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("X-Frame-Options", "DENY")
                .putHeader("Referrer-Policy", "no-referrer")
                .putHeader("Cross-Origin-Opener-Policy", "same-origin")
                .putHeader("Cross-Origin-Resource-Policy", "same-origin")
                .putHeader("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=()");
        ctx.next();
    }

    /** A page elsewhere can point a name of its own at 127.0.0.1; the name it used then stands in the Host header. */
    void host(RoutingContext ctx) {
        HostAndPort authority = ctx.request().authority();
        String name = authority == null ? "" : authority.host();
        if (!options.onLoopback() || UiOptions.isLoopback(name)) {
            ctx.next();
        } else {
            Problem.of(
                            421,
                            "Misdirected request",
                            "a server on loopback is asked by a loopback name",
                            "Host: " + name,
                            "open http://localhost:"
                                    + ctx.request().localAddress().port() + "/")
                    .send(ctx);
        }
    }

    void token(RoutingContext ctx) {
        String given = ctx.request().getHeader(HttpHeaders.AUTHORIZATION);
        if (options.token().isEmpty() || matches("Bearer " + options.token().get(), given)) {
            ctx.next();
            return;
        }
        ctx.response().putHeader("WWW-Authenticate", "Bearer");
        Problem.of(
                        401,
                        "Unauthorized",
                        "a call carries Authorization: Bearer TOKEN",
                        given == null ? "no Authorization header" : "another token",
                        "use the token with which the server was started")
                .send(ctx);
    }

    /**
     * What changes something is JSON, which no foreign page may send without asking, and comes from our own page or from
     * no page at all: programs send neither Origin nor Sec-Fetch-Site.
     */
    void change(RoutingContext ctx) {
        HttpServerRequest request = ctx.request();
        String contentType = request.getHeader(HttpHeaders.CONTENT_TYPE);
        String mediaType =
                contentType == null ? "" : contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (!mediaType.equals("application/json")) {
            Problem.of(
                            415,
                            "Unsupported media type",
                            "a change is application/json",
                            mediaType.isEmpty() ? "no Content-Type" : mediaType,
                            "send Content-Type: application/json")
                    .send(ctx);
            return;
        }
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        String site = request.getHeader("Sec-Fetch-Site");
        boolean foreign = (origin != null && !sameOrigin(request, origin))
                || (site != null && !site.equals("same-origin") && !site.equals("none"));
        if (foreign) {
            Problem.of(
                            403,
                            "Forbidden",
                            "a change comes from this server's own page",
                            "Origin: " + origin,
                            "open the page of this server and change it there")
                    .send(ctx);
            return;
        }
        ctx.next();
    }

    private static boolean sameOrigin(HttpServerRequest request, String origin) {
        String host = request.getHeader(HttpHeaders.HOST);
        return host != null && (origin.equals("http://" + host) || origin.equals("https://" + host));
    }

    private static boolean matches(String expected, @Nullable String given) {
        return given != null
                && MessageDigest.isEqual(
                        expected.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }
}
