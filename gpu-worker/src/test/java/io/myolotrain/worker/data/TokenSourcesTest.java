package io.myolotrain.worker.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.myolotrain.worker.data.TextFiles.TextFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenSourcesTest {
    private static final Map<String, String> FILES = Map.of(
            "b/second.txt", "zweite Datei: größer",
            "a/first.java", "class First {}",
            "B.md", "capitals sort first",
            "c.txt", "last");
    private static final String STREAM = "capitals sort first\0class First {}\0zweite Datei: größer\0last\0";

    @TempDir
    Path root;

    private Path directory() throws IOException {
        Path directory = root.resolve("corpus");
        for (var file : FILES.entrySet()) {
            Path path = directory.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
        Files.write(directory.resolve("picture.png"), new byte[] {1, 2, 3});
        Files.write(directory.resolve("binary.txt"), new byte[] {'a', 0, 'b'});
        return directory;
    }

    private Path archive(String name, Map<String, String> files) throws IOException {
        Path path = root.resolve(name);
        try (var zip = new ZipOutputStream(Files.newOutputStream(path))) {
            for (var file : files.entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue().getBytes(StandardCharsets.UTF_8));
                zip.closeEntry();
            }
        }
        return path;
    }

    private Path tokenFile(int... tokens) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(tokens.length * 2).order(ByteOrder.LITTLE_ENDIAN);
        for (int token : tokens) {
            bytes.putShort((short) token);
        }
        return Files.write(root.resolve("train.bin"), bytes.array());
    }

    private static int[] sample(TokenSource source, long sample, int length) {
        var out = new int[length + 2];
        source.read(sample, out, 1);
        assertThat(out[0] + out[length + 1]).as("nothing is written outside").isZero();
        return java.util.Arrays.copyOfRange(out, 1, length + 1);
    }

    private static String text(TokenSource source, int sequenceLength) {
        var out = new int[sequenceLength + 1];
        var text = new java.io.ByteArrayOutputStream();
        for (long i = 0; i < source.samples() + source.validationSamples(); i++) {
            if (i < source.samples()) {
                source.read(i, out, 0);
            } else {
                source.readValidation(i - source.samples(), out, 0);
            }
            for (int token : out) {
                text.write(token);
            }
        }
        return text.toString(StandardCharsets.UTF_8);
    }

    @Test
    void a_directory_is_read_in_name_order_without_binary_files() throws IOException {
        try (TokenSource source = TokenSources.open(directory().toString(), 2, 256)) {
            String expected = STREAM.substring(0, STREAM.length() - 2);
            assertThat(text(source, 2)).startsWith(expected.substring(0, 50));
            assertThat(STREAM).startsWith(text(source, 2).substring(0, 57));
            assertThat(source.samples() + source.validationSamples())
                    .isEqualTo(STREAM.getBytes(StandardCharsets.UTF_8).length / 3);
        }
    }

    @Test
    void an_archive_of_the_same_files_is_the_same_corpus() throws IOException {
        Path jar = archive("sources.jar", new TreeMap<>(FILES).descendingMap());
        try (TokenSource fromJar = TokenSources.open(jar.toString(), 3, 256);
                TokenSource fromDirectory = TokenSources.open(directory().toString(), 3, 256)) {
            assertThat(fromJar.fingerprint()).isEqualTo(fromDirectory.fingerprint());
            assertThat(text(fromJar, 3)).isEqualTo(text(fromDirectory, 3));
        }
    }

    @Test
    void a_fingerprint_changes_with_name_and_content() throws IOException {
        var prints = new java.util.TreeSet<String>();
        for (var files : List.of(
                Map.of("a.txt", "some text"),
                Map.of("b.txt", "some text"),
                Map.of("a.txt", "some tex!"),
                Map.of("a.txt", "some ", "b.txt", "text"))) {
            try (TokenSource source = TokenSources.open(archive("x.zip", files).toString(), 2, 256)) {
                prints.add(source.fingerprint());
            }
        }
        assertThat(prints).hasSize(4);
    }

    @Test
    void one_text_file_is_a_corpus() throws IOException {
        Path file = Files.writeString(root.resolve("input.txt"), "abcdefghij");
        try (TokenSource source = TokenSources.open(file.toString(), 2, 300)) {
            assertThat(sample(source, 0, 3)).containsExactly('a', 'b', 'c');
            assertThat(source.vocabulary()).isEqualTo(300);
        }
    }

    @Test
    void samples_do_not_overlap_and_the_last_twentieth_is_held_out() throws IOException {
        var tokens = new int[100 * 5 + 4];
        for (int i = 0; i < tokens.length; i++) {
            tokens[i] = i;
        }
        try (TokenSource source = TokenSources.open(tokenFile(tokens).toString(), 4, 1_000)) {
            assertThat(source.samples()).isEqualTo(95);
            assertThat(source.validationSamples()).isEqualTo(5);
            assertThat(sample(source, 0, 5)).containsExactly(0, 1, 2, 3, 4);
            assertThat(sample(source, 94, 5)).containsExactly(470, 471, 472, 473, 474);
            var first = new int[5];
            source.readValidation(0, first, 0);
            assertThat(first).containsExactly(475, 476, 477, 478, 479);
            source.readValidation(4, first, 0);
            assertThat(first[4]).isEqualTo(499);
            assertThatThrownBy(() -> sample(source, 95, 5)).hasMessageContaining("sample must be in [0, 95)");
            assertThatThrownBy(() -> source.readValidation(5, first, 0)).hasMessageContaining("in [0, 5)");
        }
    }

    @Test
    void held_out_samples_are_bounded() {
        assertThat(SampleCut.of(1_000_000_000L, 99, "x").validation()).isEqualTo(SampleCut.VALIDATION_SAMPLES_MAX);
        assertThat(SampleCut.of(200, 99, "x")).isEqualTo(new SampleCut(100, 1, 1));
    }

    @Test
    void a_token_file_is_unsigned_and_checked_when_read() throws IOException {
        try (TokenSource source =
                TokenSources.open(tokenFile(1, 65_535, 40_000, 4, 5, 6).toString(), 2, 65_536)) {
            assertThat(sample(source, 0, 3)).containsExactly(1, 65_535, 40_000);
        }
        try (TokenSource source =
                TokenSources.open(tokenFile(1, 2, 3, 4, 500, 6, 7, 8, 9).toString(), 2, 500)) {
            assertThat(sample(source, 0, 3)).containsExactly(1, 2, 3);
            assertThatThrownBy(() -> sample(source, 1, 3))
                    .isInstanceOf(CorpusException.class)
                    .hasMessageContaining("token=500 vocabulary=500 index=4");
        }
    }

    @Test
    void a_token_file_of_odd_size_is_refused() throws IOException {
        Path file = Files.write(root.resolve("odd.bin"), new byte[101]);
        assertThatThrownBy(() -> TokenSources.open(file.toString(), 2, 256))
                .hasMessageContaining("even number of bytes");
    }

    @Test
    void token_files_that_differ_at_the_end_have_other_fingerprints() throws IOException {
        var tokens = new int[50_000];
        String first = TokenSources.open(tokenFile(tokens).toString(), 8, 10).fingerprint();
        tokens[tokens.length - 1] = 1;
        assertThat(TokenSources.open(tokenFile(tokens).toString(), 8, 10).fingerprint())
                .isNotEqualTo(first);
    }

    @Test
    void what_cannot_be_used_is_refused_with_rule_and_values() throws IOException {
        Path empty = Files.createDirectories(root.resolve("empty"));
        Path image = Files.write(root.resolve("x.png"), new byte[] {1});
        Path broken = Files.writeString(root.resolve("broken.jar"), "not a zip");
        Path text = Files.writeString(root.resolve("t.txt"), "0123456789");
        refused("/no/such/place", 2, 256, "data not found", "path=/no/such/place", "every worker's host");
        refused("", 2, 256, "data not found");
        refused("a\0b", 2, 256, "data must be a path");
        refused(empty.toString(), 2, 256, "needs 6 tokens", "has 0");
        refused(text.toString(), 100, 256, "needs 202 tokens", "has 11", "sequenceLength=100");
        refused(text.toString(), 2, 100, "vocabulary must be >= 256", "vocabulary=100");
        refused(image.toString(), 2, 256, "data is a directory or .jar/.zip");
        refused(broken.toString(), 2, 256, "data must be readable", "broken.jar");
    }

    private static void refused(String data, int sequenceLength, int vocabulary, String... parts) {
        assertThatThrownBy(() -> TokenSources.open(data, sequenceLength, vocabulary))
                .isInstanceOf(CorpusException.class)
                .satisfies(e -> assertThat(e.getMessage()).contains(parts));
    }

    @Test
    void a_corpus_that_is_too_large_is_refused_before_it_is_read() {
        var huge = new TextFile("huge.txt", 3_000_000_000L, () -> {
            throw new IOException("must not be opened");
        });
        assertThatThrownBy(() -> TextCorpus.read(List.of(huge), root, TextCorpus.TOTAL_BYTES_MAX))
                .isInstanceOf(CorpusException.class)
                .hasMessageContaining("at most " + TextCorpus.TOTAL_BYTES_MAX)
                .hasMessageContaining("uint16 token file");
    }

    @Test
    void a_file_that_is_longer_or_shorter_than_it_says_is_refused() {
        for (long stated : new long[] {3, 5}) {
            var file = new TextFile("f.txt", stated, () -> new ByteArrayInputStream(new byte[] {'a', 'b', 'c', 'd'}));
            assertThatThrownBy(() -> TextCorpus.read(List.of(file), root, 1_000))
                    .isInstanceOf(CorpusException.class)
                    .hasMessageContaining("stated=" + stated);
        }
    }

    @Test
    void links_out_of_the_directory_are_not_followed() throws IOException {
        Path secret = Files.writeString(root.resolve("secret.txt"), "secret");
        Path directory = Files.createDirectories(root.resolve("d"));
        Files.writeString(directory.resolve("open.txt"), "open text");
        Files.createSymbolicLink(directory.resolve("link.txt"), secret);
        try (TokenSource source = TokenSources.open(directory.toString(), 1, 256)) {
            assertThat(text(source, 1)).isEqualTo("open text\0");
        }
    }
}
