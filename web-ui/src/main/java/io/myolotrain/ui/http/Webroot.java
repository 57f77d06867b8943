package io.myolotrain.ui.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** The page's files, from the class path, kept in memory: only what exists, so the map is as small as the jar. */
final class Webroot {
    // No dot but the last, no empty segment: a path can't leave the web root.
    private static final Pattern PATH = Pattern.compile("/(?:[a-z0-9-]+/)*[a-z0-9-]+\\.(?:js|css|svg|yaml|html)");
    private static final String WEBJARS = "META-INF/resources/webjars/";
    private static final Map<String, String> LIBRARIES = Map.of(
            "/lib/preact.js", WEBJARS + "preact/10.26.9/dist/preact.module.js",
            "/lib/uplot.js", WEBJARS + "uplot/1.6.30/dist/uPlot.esm.js",
            "/lib/uplot.css", WEBJARS + "uplot/1.6.30/dist/uPlot.min.css");
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml",
            "yaml", "application/yaml");

    private final Map<String, Asset> assets = new HashMap<>();

    private record Asset(Buffer plain, Buffer gzip, String type, String etag) {}

    void serve(RoutingContext ctx) {
        String path =
                ctx.request().path().equals("/") ? "/index.html" : ctx.request().path();
        Asset asset = PATH.matcher(path).matches() ? asset(path) : null;
        if (asset == null) {
            Problem.notFound("this server has a page at / and an API at /api", path, "open / or read /openapi.yaml")
                    .send(ctx);
            return;
        }
        var response = ctx.response();
        response.putHeader(HttpHeaders.CONTENT_TYPE, asset.type)
                .putHeader(HttpHeaders.ETAG, asset.etag)
                .putHeader(HttpHeaders.VARY, "Accept-Encoding")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-cache");
        if (asset.etag.equals(ctx.request().getHeader(HttpHeaders.IF_NONE_MATCH))) {
            response.setStatusCode(304).end();
            return;
        }
        String accepted = ctx.request().getHeader(HttpHeaders.ACCEPT_ENCODING);
        if (accepted != null && accepted.contains("gzip")) {
            response.putHeader(HttpHeaders.CONTENT_ENCODING, "gzip").end(asset.gzip);
        } else {
            response.end(asset.plain);
        }
    }

    private @Nullable Asset asset(String path) {
        Asset known = assets.get(path);
        if (known != null) {
            return known;
        }
        String resource = LIBRARIES.getOrDefault(path, "webroot" + path);
        try (InputStream in = Webroot.class.getClassLoader().getResourceAsStream(resource)) {
            if (in == null) {
                return null;
            }
            byte[] bytes = in.readAllBytes();
            var asset = new Asset(
                    Buffer.buffer(bytes),
                    Buffer.buffer(gzip(bytes)),
                    TYPES.getOrDefault(path.substring(path.lastIndexOf('.') + 1), "application/octet-stream"),
                    '"' + sha256(bytes) + '"');
            assets.put(path, asset);
            return asset;
        } catch (IOException e) {
            throw new UncheckedIOException("the jar of the web UI must be readable: " + resource, e);
        }
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        }
        return out.toByteArray();
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes), 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
