package io.myolotrain.worker.checkpoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.ModelShape;
import io.myolotrain.core.model.TrainingConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** State and manifest as JSON. Field names are the format: a renamed one makes older checkpoints unreadable. */
final class CheckpointJson {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES) // a later version may add fields
            .build();

    private CheckpointJson() {}

    static byte[] write(CheckpointState state) {
        ObjectNode node = identity(state.job(), state.attempt(), state.step(), state.generation(), state.parent());
        node.put("samplesConsumed", state.samplesConsumed());
        node.put("seed", state.seed());
        node.put("microBatch", state.microBatch());
        node.put("dataFingerprint", state.dataFingerprint());
        node.set("model", JSON.valueToTree(state.model()));
        node.set("config", JSON.valueToTree(state.config()));
        return bytes(node);
    }

    static CheckpointState readState(byte[] json) throws IOException {
        JsonNode node = JSON.readTree(json);
        try {
            return new CheckpointState(
                    new JobId(text(node, "job")),
                    text(node, "attempt"),
                    integer(node, "step"),
                    integer(node, "samplesConsumed"),
                    new Generation(integer(node, "generation")),
                    integer(node, "seed"),
                    Math.toIntExact(integer(node, "microBatch")),
                    JSON.treeToValue(required(node, "model"), ModelShape.class),
                    JSON.treeToValue(required(node, "config"), TrainingConfig.class),
                    text(node, "dataFingerprint"),
                    parent(node));
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IOException("state must hold valid values: " + e.getMessage(), e);
        }
    }

    static byte[] write(Manifest manifest) {
        ObjectNode node =
                identity(manifest.job(), manifest.attempt(), manifest.step(), manifest.generation(), manifest.parent());
        node.put("format", Manifest.FORMAT);
        node.put("shards", manifest.shards());
        var files = node.putArray("files");
        for (Manifest.FileEntry file : manifest.files()) {
            files.addObject()
                    .put("name", file.name())
                    .put("bytes", file.bytes())
                    .put("sha256", file.sha256());
        }
        return bytes(node);
    }

    static Manifest readManifest(byte[] json) throws IOException {
        JsonNode node = JSON.readTree(json);
        long format = integer(node, "format");
        if (format != Manifest.FORMAT) {
            throw new IOException("format must be " + Manifest.FORMAT + ": format=" + format);
        }
        var files = new ArrayList<Manifest.FileEntry>();
        for (JsonNode file : required(node, "files")) {
            String name = text(file, "name");
            if (!CheckpointPaths.isPlainFileName(name)) {
                throw new IOException("a listed file must be a plain file name: name=" + name);
            }
            files.add(new Manifest.FileEntry(name, integer(file, "bytes"), text(file, "sha256")));
        }
        try {
            return new Manifest(
                    new JobId(text(node, "job")),
                    text(node, "attempt"),
                    integer(node, "step"),
                    new Generation(integer(node, "generation")),
                    parent(node),
                    Math.toIntExact(integer(node, "shards")),
                    List.copyOf(files));
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IOException("manifest must hold valid values: " + e.getMessage(), e);
        }
    }

    /** The header with which the transformers library loads a GPT-2 model from the directory. */
    static byte[] gpt2Config(ModelShape model) {
        ObjectNode node = JSON.createObjectNode();
        node.put("model_type", "gpt2");
        node.putArray("architectures").add("GPT2LMHeadModel");
        node.put("vocab_size", model.vocabulary());
        node.put("n_positions", model.sequenceLength());
        node.put("n_embd", model.hidden());
        node.put("n_layer", model.layers());
        node.put("n_head", model.heads());
        node.put("tie_word_embeddings", false);
        return bytes(node);
    }

    private static ObjectNode identity(
            JobId job, String attempt, long step, Generation generation, Optional<String> parent) {
        ObjectNode node = JSON.createObjectNode();
        node.put("job", job.value());
        node.put("attempt", attempt);
        node.put("step", step);
        node.put("generation", generation.value());
        parent.ifPresent(value -> node.put("parent", value));
        return node;
    }

    private static byte[] bytes(ObjectNode node) {
        try {
            return JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e); // a tree of plain values always writes
        }
    }

    private static JsonNode required(JsonNode node, String field) throws IOException {
        JsonNode value = node.get(field);
        if (value == null || value.isNull()) {
            throw new IOException("field must be there: field=" + field);
        }
        return value;
    }

    private static String text(JsonNode node, String field) throws IOException {
        JsonNode value = required(node, field);
        if (!value.isTextual()) {
            throw new IOException("field must be a string: field=" + field + " value=" + value);
        }
        return value.textValue();
    }

    private static long integer(JsonNode node, String field) throws IOException {
        JsonNode value = required(node, field);
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw new IOException("field must be an integer: field=" + field + " value=" + value);
        }
        return value.longValue();
    }

    private static Optional<String> parent(JsonNode node) {
        return Optional.ofNullable(node.get("parent")).map(JsonNode::asText);
    }
}
