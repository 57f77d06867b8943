package io.myolotrain.cli.embedded.registry;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** HTTP side of the registry: Confluent's paths, bodies and error codes. */
final class RegistryRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(RegistryRoutes.class);
    private static final String CONTENT_TYPE = "application/vnd.schemaregistry.v1+json";
    private static final long BODY_BYTES_MAX = 1 << 20;

    /** A body that is JSON already. */
    private record Verbatim(String text) {}

    private final Vertx vertx;
    private final SchemaStore store;
    private final Subjects subjects;

    RegistryRoutes(Vertx vertx, SchemaStore store, Subjects subjects) {
        this.vertx = vertx;
        this.store = store;
        this.subjects = subjects;
    }

    Router router() {
        Router router = Router.router(vertx);
        router.route().handler(BodyHandler.create(false).setBodyLimit(BODY_BYTES_MAX));
        router.get("/").handler(answer(c -> new JsonObject()));
        schemaRoutes(router);
        subjectRoutes(router);
        compatibilityRoutes(router);
        configRoutes(router);
        modeRoutes(router);
        router.route().failureHandler(RegistryRoutes::fail);
        router.errorHandler(404, c -> end(c, 404, error(404, "HTTP 404 Not Found")));
        return router;
    }

    private void schemaRoutes(Router router) {
        router.get("/schemas/types").handler(answer(c -> new JsonArray().add("AVRO")));
        router.get("/schemas/ids/:id").handler(answer(c -> new JsonObject().put("schema", schemaById(c))));
        router.get("/schemas/ids/:id/schema").handler(answer(c -> new Verbatim(schemaById(c))));
        router.get("/schemas/ids/:id/subjects")
                .handler(answer(c -> new JsonArray(withId(c).stream()
                        .map(SchemaVersion::subject)
                        .distinct()
                        .toList())));
        router.get("/schemas/ids/:id/versions")
                .handler(answer(c -> new JsonArray(withId(c).stream()
                        .map(s -> new JsonObject().put("subject", s.subject()).put("version", s.version()))
                        .toList())));
    }

    private void subjectRoutes(Router router) {
        router.get("/subjects")
                .handler(answer(c -> new JsonArray(store.read(state -> state.subjects(deleted(c))).stream()
                        .filter(subject -> subject.startsWith(
                                Optional.ofNullable(c.request().getParam("subjectPrefix"))
                                        .orElse("")))
                        .toList())));
        router.get("/subjects/:subject/versions")
                .handler(answer(c -> new JsonArray(subjects.versions(subject(c), deleted(c)).stream()
                        .map(SchemaVersion::version)
                        .toList())));
        router.get("/subjects/:subject/versions/:version")
                .handler(answer(c -> json(subjects.version(subject(c), c.pathParam("version"), deleted(c)))));
        router.get("/subjects/:subject/versions/:version/schema")
                .handler(answer(c -> new Verbatim(subjects.version(subject(c), c.pathParam("version"), deleted(c))
                        .schema())));
        router.get("/subjects/:subject/versions/:version/referencedby").handler(answer(c -> {
            subjects.version(subject(c), c.pathParam("version"), true);
            return new JsonArray(); // references are refused at registration
        }));
        router.post("/subjects/:subject")
                .handler(answer(c -> json(subjects.lookUp(subject(c), schemaText(c), deleted(c)))));
        router.post("/subjects/:subject/versions")
                .handler(write(c -> new JsonObject().put("id", subjects.register(subject(c), schemaText(c)))));
        router.delete("/subjects/:subject")
                .handler(write(c -> new JsonArray(subjects.deleteSubject(subject(c), flag(c, "permanent")))));
        router.delete("/subjects/:subject/versions/:version")
                .handler(write(c -> subjects.deleteVersion(subject(c), c.pathParam("version"), flag(c, "permanent"))));
    }

    private void compatibilityRoutes(Router router) {
        router.post("/compatibility/subjects/:subject/versions/:version")
                .handler(answer(c -> verdict(
                        c, subjects.violations(subject(c), Subjects.parse(schemaText(c)), c.pathParam("version")))));
        router.post("/compatibility/subjects/:subject/versions")
                .handler(answer(c -> verdict(c, subjects.violations(subject(c), Subjects.parse(schemaText(c))))));
    }

    private static JsonObject verdict(RoutingContext c, List<String> violations) {
        JsonObject verdict = new JsonObject().put("is_compatible", violations.isEmpty());
        return flag(c, "verbose") ? verdict.put("messages", new JsonArray(violations)) : verdict;
    }

    private void configRoutes(Router router) {
        router.get("/config").handler(answer(c -> levelJson(store.read(state -> state.level(SchemaState.GLOBAL)))));
        router.get("/config/:subject")
                .handler(answer(c -> levelJson(
                        flag(c, "defaultToGlobal")
                                ? store.read(state -> state.level(subject(c)))
                                : store.read(state -> state.ownLevel(subject(c)))
                                        .orElseThrow(() -> RegistryException.noOwnLevel(subject(c))))));
        router.put("/config").handler(write(c -> {
            CompatibilityLevel level = level(c);
            subjects.setLevel(null, level);
            return new JsonObject().put("compatibility", level.name());
        }));
        router.put("/config/:subject").handler(write(c -> {
            CompatibilityLevel level = level(c);
            subjects.setLevel(subject(c), level);
            return new JsonObject().put("compatibility", level.name());
        }));
        router.delete("/config").handler(write(c -> {
            CompatibilityLevel old = store.read(state -> state.level(SchemaState.GLOBAL));
            subjects.setLevel(null, null);
            return old.name();
        }));
        router.delete("/config/:subject").handler(write(c -> {
            CompatibilityLevel old = store.read(state -> state.ownLevel(subject(c)))
                    .orElseThrow(() -> RegistryException.noOwnLevel(subject(c)));
            subjects.setLevel(subject(c), null);
            return old.name();
        }));
    }

    private void modeRoutes(Router router) {
        router.get("/mode").handler(answer(c -> modeJson(store.read(state -> state.mode(SchemaState.GLOBAL)))));
        router.get("/mode/:subject")
                .handler(answer(c -> modeJson(
                        flag(c, "defaultToGlobal")
                                ? store.read(state -> state.mode(subject(c)))
                                : store.read(state -> state.ownMode(subject(c)))
                                        .orElseThrow(() -> RegistryException.noOwnMode(subject(c))))));
        router.put("/mode").handler(write(c -> {
            Mode mode = mode(c);
            subjects.setMode(null, mode);
            return modeJson(mode);
        }));
        router.put("/mode/:subject").handler(write(c -> {
            Mode mode = mode(c);
            subjects.setMode(subject(c), mode);
            return modeJson(mode);
        }));
        router.delete("/mode/:subject").handler(write(c -> {
            Mode old = store.read(state -> state.ownMode(subject(c)))
                    .orElseThrow(() -> RegistryException.noOwnMode(subject(c)));
            subjects.setMode(subject(c), null);
            return modeJson(old);
        }));
    }

    private String schemaById(RoutingContext c) {
        int id = id(c);
        return store.read(state -> state.schema(id)).orElseThrow(RegistryException::schemaNotFound);
    }

    private List<SchemaVersion> withId(RoutingContext c) {
        int id = id(c);
        List<SchemaVersion> versions = store.read(state -> state.versionsWithId(id, deleted(c)));
        if (versions.isEmpty()) {
            throw RegistryException.schemaNotFound();
        }
        return versions;
    }

    private static int id(RoutingContext c) {
        try {
            return Integer.parseInt(c.pathParam("id"));
        } catch (NumberFormatException e) {
            throw RegistryException.schemaNotFound();
        }
    }

    private static String subject(RoutingContext c) {
        return c.pathParam("subject");
    }

    private static boolean deleted(RoutingContext c) {
        return flag(c, "deleted");
    }

    private static boolean flag(RoutingContext c, String name) {
        return Boolean.parseBoolean(c.request().getParam(name));
    }

    private static String schemaText(RoutingContext c) {
        JsonObject body = body(c);
        String type = body.getString("schemaType", "AVRO");
        if (!type.equals("AVRO")) {
            throw RegistryException.invalidSchema("only schemaType AVRO is kept here: schemaType=" + type);
        }
        if (!body.getJsonArray("references", new JsonArray()).isEmpty()) {
            throw RegistryException.invalidSchema("references are not supported; inline the referenced types");
        }
        return Optional.ofNullable(body.getString("schema"))
                .orElseThrow(() -> RegistryException.invalidSchema("the body has no field 'schema'"));
    }

    private static CompatibilityLevel level(RoutingContext c) {
        String name = body(c).getString("compatibility", "");
        return CompatibilityLevel.named(name).orElseThrow(() -> RegistryException.invalidLevel(name));
    }

    private static Mode mode(RoutingContext c) {
        String name = body(c).getString("mode", "");
        return Mode.named(name).orElseThrow(() -> RegistryException.invalidMode(name));
    }

    private static JsonObject body(RoutingContext c) {
        JsonObject body = c.body().asJsonObject();
        return body == null ? new JsonObject() : body;
    }

    private static JsonObject json(SchemaVersion s) {
        return new JsonObject()
                .put("subject", s.subject())
                .put("version", s.version())
                .put("id", s.id())
                .put("schema", s.schema());
    }

    private static JsonObject levelJson(CompatibilityLevel level) {
        return new JsonObject().put("compatibilityLevel", level.name());
    }

    private static JsonObject modeJson(Mode mode) {
        return new JsonObject().put("mode", mode.name());
    }

    private Handler<RoutingContext> answer(Function<RoutingContext, Object> question) {
        return c -> end(c, 200, question.apply(c));
    }

    /** Writes wait for the log, off the event loop. */
    private Handler<RoutingContext> write(Function<RoutingContext, Object> operation) {
        return c -> vertx.executeBlocking(() -> operation.apply(c), false)
                .onSuccess(result -> end(c, 200, result))
                .onFailure(c::fail);
    }

    private static void fail(RoutingContext c) {
        Throwable cause = c.failure();
        if (cause instanceof RegistryException e) {
            end(c, e.status, error(e.code, String.valueOf(e.getMessage())));
        } else if (cause instanceof DecodeException || cause instanceof ClassCastException) {
            end(c, 400, error(400, "the body is not the JSON object that this path takes"));
        } else if (cause == null) {
            end(c, c.statusCode(), error(c.statusCode(), "HTTP " + c.statusCode()));
        } else {
            LOG.atError()
                    .addKeyValue("path", c.request().path())
                    .setCause(cause)
                    .log("registry request failed");
            end(c, 500, error(50001, "Error in the backend data store"));
        }
    }

    private static JsonObject error(int code, String message) {
        return new JsonObject().put("error_code", code).put("message", message);
    }

    private static void end(RoutingContext c, int status, Object body) {
        String text = body instanceof String plain ? plain : io.vertx.core.json.Json.encode(body);
        c.response()
                .setStatusCode(status)
                .putHeader("content-type", CONTENT_TYPE)
                .end(text);
    }
}
