package io.myolotrain.worker.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SafeTensorsTest {
    @TempDir
    Path directory;

    private Path write(Map<String, String> metadata, List<SafeTensorsWriter.Tensor> tensors) throws IOException {
        Path file = directory.resolve("t.safetensors");
        new DurableFiles(FileLayer.disk()).write(file, sink -> SafeTensorsWriter.write(sink, metadata, tensors));
        return file;
    }

    private static SafeTensorsWriter.Tensor counting(String name, int from, Integer... dims) {
        return new SafeTensorsWriter.Tensor(name, List.of(dims), (first, chunk) -> {
            for (long i = first; chunk.hasRemaining(); i++) {
                chunk.put(from + i);
            }
        });
    }

    private SafeTensorsReader open(byte[] bytes) throws IOException {
        Path file = directory.resolve("raw.safetensors");
        Files.write(file, bytes);
        return SafeTensorsReader.open(FileLayer.disk().open(file));
    }

    private static byte[] file(String json, int dataBytes) {
        byte[] header = json.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(8 + header.length + dataBytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(header.length)
                .put(header)
                .array();
    }

    @Test
    void bytes_are_laid_out_as_the_format_says() throws Exception {
        Path path = write(
                Map.of("format", "pt"), List.of(counting("b", 10, 2, 3), counting("a", 20), counting("c", 30, 0, 4)));
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN);
        long headerBytes = bytes.getLong();
        assertThat(headerBytes % 8).as("data is aligned").isZero();
        var json = new byte[(int) headerBytes];
        bytes.get(json);
        assertThat((char) json[0]).isEqualTo('{');
        JsonNode header = new ObjectMapper().readTree(json);
        assertThat(header.toString())
                .isEqualTo("{\"__metadata__\":{\"format\":\"pt\"},"
                        + "\"b\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]},"
                        + "\"a\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[24,28]},"
                        + "\"c\":{\"dtype\":\"F32\",\"shape\":[0,4],\"data_offsets\":[28,28]}}");
        for (float expected : new float[] {10, 11, 12, 13, 14, 15, 20}) {
            assertThat(bytes.getFloat()).isEqualTo(expected);
        }
        assertThat(bytes.hasRemaining()).isFalse();
    }

    @Test
    void a_tensor_larger_than_a_chunk_comes_back() throws IOException {
        int floats = 2 * SafeTensorsWriter.CHUNK_FLOATS + 17;
        Path path = write(Map.of(), List.of(counting("small", 1, 3), counting("large", 5, floats)));
        FloatBuffer read = FloatBuffer.allocate(floats);
        try (var reader = SafeTensorsReader.open(FileLayer.disk().open(path))) {
            reader.read("large", List.of(floats), (first, chunk) -> {
                assertThat(first).isEqualTo(read.position());
                read.put(chunk);
            });
        }
        assertThat(read.hasRemaining()).isFalse();
        for (int i = 0; i < floats; i++) {
            assertThat(read.get(i)).isEqualTo(5 + i);
        }
    }

    @Test
    void other_types_and_padding_are_understood() throws IOException {
        try (var reader = open(file(
                "{\"x\":{\"dtype\":\"BF16\",\"shape\":[3],\"data_offsets\":[0,6]},\"__metadata__\":{\"k\":\"v\"}}   ",
                6))) {
            assertThat(reader.metadata()).containsEntry("k", "v");
            assertThat(reader.tensors()).singleElement().satisfies(t -> assertThat(t.dtype())
                    .isEqualTo("BF16"));
            assertThatThrownBy(() -> reader.read("x", List.of(3), (first, chunk) -> {}))
                    .hasMessageContaining("found=BF16");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"x\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,4]}} | 4 | must span the shape",
                "{\"x\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}} | 4 | to its end",
                "{\"x\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}} | 9 | to its end",
                "{\"x\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}} | 8 | without holes",
                "{\"x\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[8,4]}} | 8 | [begin, end]",
                "{\"x\":{\"dtype\":\"F32\",\"shape\":[-1],\"data_offsets\":[0,4]}} | 4 | integers >= 0",
                "{\"x\":{\"dtype\":\"F32\",\"shape\":[1.5],\"data_offsets\":[0,4]}} | 4 | integers >= 0",
                "{\"x\":{\"dtype\":\"F33\",\"shape\":[1],\"data_offsets\":[0,4]}} | 4 | dtype must be one of",
                "{\"x\":{\"shape\":[1],\"data_offsets\":[0,4]}} | 4 | dtype must be a string",
                "{\"x\":3} | 4 | dtype must be a string",
                "{\"x\":{\"dtype\":\"F32\",\"shape\":[4294967296,4294967296],\"data_offsets\":[0,4]}} | 4 | 63 bits",
                "{\"x\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},\"y\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}} | 4 | without holes",
                "{\"x\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},\"x\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}} | 4 | Duplicate",
                "{\"__metadata__\":{\"k\":1}} | 0 | metadata values must be strings",
                "[1] | 0 | JSON object",
                "{\"x\": | 0 | must be JSON",
                "{}{} | 0 | must be JSON",
            })
    void a_header_that_lies_is_refused(String json, int dataBytes, String rule) {
        assertThatThrownBy(() -> open(file(json.strip(), dataBytes)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(rule.strip());
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 0, 1, 100, 100_000_001, Long.MAX_VALUE, Long.MIN_VALUE})
    void an_impossible_header_length_is_refused_before_anything_is_allocated(long length) {
        byte[] bytes = file("{}", 0);
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(length);
        assertThatThrownBy(() -> open(bytes)).hasMessageContaining("header length must be in");
    }

    @Test
    void random_bytes_are_refused_as_input_not_as_a_bug() throws IOException {
        long seed = 99;
        var random = new Random(seed);
        byte[] good = Files.readAllBytes(write(Map.of("a", "b"), List.of(counting("x", 1, 4), counting("y", 2, 2, 2))));
        int refused = 0;
        for (int round = 0; round < 500; round++) {
            byte[] bytes = good.clone();
            for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try (var reader = open(bytes)) {
                assertThat(reader.tensors()).isNotEmpty(); // the flips hit values or names only
            } catch (IOException e) {
                refused++;
            }
        }
        assertThat(refused).as("seed " + seed).isGreaterThan(100);
    }
}
