package io.myolotrain.ui.frames;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A timeline in the Trace Event Format that chrome://tracing and ui.perfetto.dev read: complete events (ph X), times in
 * microseconds, one process per job and one thread per rank.
 */
public record TraceEvents(List<Map<String, Object>> traceEvents, String displayTimeUnit) {
    private static final int PROCESS = 1;

    public static TraceEvents of(String job, Timeline timeline) {
        var events = new ArrayList<Map<String, Object>>();
        events.add(named("process_name", 0, "job " + job));
        timeline.ranks()
                .forEach(lane ->
                        events.add(named("thread_name", lane.rank(), "rank " + lane.rank() + ", " + lane.worker())));
        for (Timeline.Bar bar : timeline.spans()) {
            var args = new LinkedHashMap<String, Object>();
            args.put("step", bar.step());
            if (bar.operation() != null && bar.sequence() != null && bar.bytes() != null) {
                args.put("operation", bar.operation());
                args.put("sequence", bar.sequence());
                args.put("bytes", bar.bytes());
            }
            var event = new LinkedHashMap<String, Object>();
            event.put("name", bar.phase());
            event.put("cat", bar.operation() == null ? "computation" : "communication");
            event.put("ph", "X");
            event.put("ts", timeline.beginMicros() + bar.beginMicros());
            event.put("dur", bar.endMicros() - bar.beginMicros());
            event.put("pid", PROCESS);
            event.put("tid", timeline.ranks().get(bar.lane()).rank());
            event.put("args", args);
            events.add(event);
        }
        return new TraceEvents(events, "ms");
    }

    private static Map<String, Object> named(String what, int thread, String name) {
        var event = new LinkedHashMap<String, Object>();
        event.put("name", what);
        event.put("ph", "M");
        event.put("pid", PROCESS);
        event.put("tid", thread);
        event.put("args", Map.of("name", name));
        return event;
    }
}
