package io.myolotrain.ui.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;

/**
 * Why a request was not served, after RFC 9457: the rule, the value that broke it, and what to do next.
 *
 * @param type always about:blank: the status and the rule tell the kind
 */
record Problem(String type, String title, int status, String rule, String value, String nextStep) {
    static final String CONTENT_TYPE = "application/problem+json";
    private static final int VALUE_CHARS_MAX = 200;

    static Problem of(int status, String title, String rule, String value, String nextStep) {
        String quoted = value.length() <= VALUE_CHARS_MAX ? value : value.substring(0, VALUE_CHARS_MAX) + "…";
        return new Problem("about:blank", title, status, rule, quoted, nextStep);
    }

    static Problem badRequest(String rule, String value, String nextStep) {
        return of(400, "Bad request", rule, value, nextStep);
    }

    static Problem notFound(String rule, String value, String nextStep) {
        return of(404, "Not found", rule, value, nextStep);
    }

    void send(RoutingContext ctx) {
        if (ctx.response().ended() || ctx.response().headWritten()) {
            return;
        }
        ctx.response()
                .setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, CONTENT_TYPE)
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .end(Json.encode(this));
    }

    /** For a handler that can't return: carries the problem to the failure handler. */
    static final class ProblemException extends RuntimeException {
        private final transient Problem problem;

        ProblemException(Problem problem) {
            super(problem.rule() + ": " + problem.value(), null, false, false);
            this.problem = problem;
        }

        Problem problem() {
            return problem;
        }
    }
}
