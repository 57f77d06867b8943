package io.myolotrain.worker.checkpoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The directory of a safetensors file (github.com/huggingface/safetensors, "Format").
 *
 * <pre>
 *  0        8                    8+N
 *  | N, u64 | JSON, N bytes, '{' … | tensor data, without holes … |
 *    LE       {"name": {"dtype", "shape", "data_offsets": [begin, end]}, "__metadata__": {string: string}}
 * </pre>
 *
 * @param tensors in the order of their data
 * @param dataStart first byte of tensor data in the file; offsets of tensors count from here
 */
record SafeTensorsHeader(SortedMap<String, String> metadata, List<Entry> tensors, long dataStart) {
    static final int LENGTH_BYTES = Long.BYTES;
    static final int HEADER_BYTES_MAX = 100_000_000; // the reference implementation's limit
    static final String METADATA = "__metadata__";
    private static final int ALIGNMENT = 8;

    private static final Map<String, Integer> BYTES_BY_DTYPE = Map.ofEntries(
            Map.entry("F64", 8),
            Map.entry("I64", 8),
            Map.entry("U64", 8),
            Map.entry("F32", 4),
            Map.entry("I32", 4),
            Map.entry("U32", 4),
            Map.entry("F16", 2),
            Map.entry("BF16", 2),
            Map.entry("I16", 2),
            Map.entry("U16", 2),
            Map.entry("F8_E4M3", 1),
            Map.entry("F8_E5M2", 1),
            Map.entry("I8", 1),
            Map.entry("U8", 1),
            Map.entry("BOOL", 1));

    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** @param begin first byte of the tensor, counted from the start of the data */
    record Entry(String name, String dtype, List<Long> shape, long begin, long end) {
        long bytes() {
            return end - begin;
        }
    }

    /** @param json the N bytes after the length field */
    static SafeTensorsHeader parse(byte[] json, long fileBytes) throws IOException {
        JsonNode root;
        try {
            root = JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IOException("header must be JSON: " + e.getOriginalMessage(), e);
        }
        check(
                root.isObject() && json[0] == '{',
                "header must be a JSON object that starts at its first byte",
                "header");
        var metadata = new TreeMap<String, String>();
        var entries = new ArrayList<Entry>();
        for (Map.Entry<String, JsonNode> field : root.properties()) {
            if (field.getKey().equals(METADATA)) {
                for (Map.Entry<String, JsonNode> item : field.getValue().properties()) {
                    check(item.getValue().isTextual(), "metadata values must be strings", item.getKey());
                    metadata.put(item.getKey(), item.getValue().textValue());
                }
            } else {
                entries.add(entry(field.getKey(), field.getValue()));
            }
        }
        entries.sort(Comparator.comparingLong(Entry::begin).thenComparingLong(Entry::end));
        long dataStart = LENGTH_BYTES + (long) json.length;
        checkContiguous(entries, fileBytes - dataStart);
        return new SafeTensorsHeader(metadata, List.copyOf(entries), dataStart);
    }

    private static Entry entry(String name, JsonNode node) throws IOException {
        check(node.path("dtype").isTextual(), "dtype must be a string", name);
        String dtype = node.path("dtype").textValue();
        Integer elementBytes = BYTES_BY_DTYPE.get(dtype);
        if (elementBytes == null) {
            throw new IOException("dtype must be one of " + new TreeMap<>(BYTES_BY_DTYPE).keySet() + ": tensor=" + name
                    + " dtype=" + dtype);
        }
        List<Long> shape = naturals(node.path("shape"), "shape", name);
        List<Long> offsets = naturals(node.path("data_offsets"), "data_offsets", name);
        check(offsets.size() == 2 && offsets.get(0) <= offsets.get(1), "data_offsets must be [begin, end]", name);
        long bytes = elementBytes;
        try {
            for (long dim : shape) {
                bytes = Math.multiplyExact(bytes, dim);
            }
        } catch (ArithmeticException e) {
            throw new IOException("a tensor's size must fit 63 bits: tensor=" + name + " shape=" + shape, e);
        }
        var entry = new Entry(name, dtype, shape, offsets.get(0), offsets.get(1));
        if (bytes != entry.bytes()) {
            throw new IOException("data_offsets must span the shape: tensor=" + name + " dtype=" + dtype + " shape="
                    + shape + " bytes=" + bytes + " data_offsets=" + offsets);
        }
        return entry;
    }

    private static List<Long> naturals(JsonNode array, String field, String name) throws IOException {
        check(array.isArray(), field + " must be an array", name);
        var values = new ArrayList<Long>(array.size());
        for (JsonNode value : array) {
            boolean natural = value.isIntegralNumber() && value.canConvertToLong() && value.longValue() >= 0;
            check(natural, field + " must hold integers >= 0", name);
            values.add(value.longValue());
        }
        return List.copyOf(values);
    }

    private static void checkContiguous(List<Entry> entries, long dataBytes) throws IOException {
        long expected = 0;
        for (Entry entry : entries) {
            if (entry.begin() != expected) {
                throw new IOException("tensors must follow each other without holes or overlap: tensor=" + entry.name()
                        + " begin=" + entry.begin() + " expected=" + expected);
            }
            expected = entry.end();
        }
        if (expected != dataBytes) {
            throw new IOException(
                    "tensors must fill the file to its end: tensor bytes=" + expected + " file has=" + dataBytes);
        }
    }

    private static void check(boolean holds, String rule, String where) throws IOException {
        if (!holds) {
            throw new IOException(rule + ": at=" + where);
        }
    }

    /** Length field and JSON, padded with spaces so that data starts at a multiple of 8. */
    static byte[] encode(Map<String, String> metadata, List<Entry> tensors) {
        ObjectNode root = JSON.createObjectNode();
        if (!metadata.isEmpty()) {
            ObjectNode strings = root.putObject(METADATA);
            new TreeMap<>(metadata).forEach(strings::put);
        }
        for (Entry tensor : tensors) {
            ObjectNode node = root.putObject(tensor.name());
            node.put("dtype", tensor.dtype());
            tensor.shape().forEach(node.putArray("shape")::add);
            node.putArray("data_offsets").add(tensor.begin()).add(tensor.end());
        }
        byte[] json = root.toString().getBytes(StandardCharsets.UTF_8);
        int padded = Math.floorDiv(json.length + ALIGNMENT - 1, ALIGNMENT) * ALIGNMENT;
        var out = ByteBuffer.allocate(LENGTH_BYTES + padded).order(ByteOrder.LITTLE_ENDIAN);
        out.putLong(padded).put(json);
        while (out.hasRemaining()) {
            out.put((byte) ' ');
        }
        return out.array();
    }
}
