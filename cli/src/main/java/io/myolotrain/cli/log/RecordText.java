package io.myolotrain.cli.log;

import io.myolotrain.cli.client.FactText;
import io.myolotrain.cli.output.JsonOutput;
import io.myolotrain.cli.output.PlainValues;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.model.Plan;
import io.myolotrain.topics.TopicListener.Received;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A record of any topic as a line. */
final class RecordText {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneId.systemDefault());
    private static final int VALUE_CHARS_MAX = 400; // a plan lists every shard: --json has it whole

    private RecordText() {}

    static String json(String topic, Received<?> record) {
        var fields = new LinkedHashMap<String, @Nullable Object>();
        fields.put("topic", topic);
        fields.put("partition", record.partition());
        fields.put("offset", record.offset());
        fields.put("atMs", record.atMs());
        fields.put("key", record.key());
        fields.put("value", PlainValues.of(record.value()));
        return JsonOutput.line(fields);
    }

    static String text(String topic, Received<?> record) {
        return TIME.format(Instant.ofEpochMilli(record.atMs())) + "  " + topic + "-" + record.partition() + "@"
                + record.offset() + "  " + value(record.value());
    }

    private static String value(@Nullable Object value) {
        if (value instanceof Decision decision) {
            return "#" + decision.offset() + " "
                    + (decision.facts().isEmpty()
                            ? "nothing to do"
                            : decision.facts().stream().map(FactText::of).collect(Collectors.joining("; ")));
        }
        if (value instanceof Plan plan) {
            return "job " + plan.job() + " generation " + plan.generation() + ", " + plan.worldSize() + " workers: "
                    + plan.reason();
        }
        String text = JsonOutput.line(Objects.requireNonNullElse(PlainValues.of(value), "(none)"));
        return text.length() <= VALUE_CHARS_MAX ? text : text.substring(0, VALUE_CHARS_MAX) + "…";
    }
}
