package io.myolotrain.worker.checkpoint;

import static io.myolotrain.worker.checkpoint.SavedWorld.ATTEMPT;
import static io.myolotrain.worker.checkpoint.SavedWorld.JOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.myolotrain.core.model.Generation;
import io.myolotrain.worker.checkpoint.Candidate.Skipped;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DamagedCheckpointTest {
    private final SavedWorld world = SavedWorld.random(11, 2);

    @TempDir
    Path root;

    private CheckpointStore store;

    @BeforeEach
    void openStore() {
        store = new CheckpointStore(root, FileLayer.disk());
    }

    private Path directoryOf(long step) {
        return root.resolve("gpt/a1").resolve(CheckpointPaths.published(step));
    }

    private long newest() {
        return store.openNewest(JOB, ATTEMPT).orElseThrow().state().step();
    }

    /** Steps 100 and 200 are saved; 200 is then damaged. */
    private void assertSkippedFor(String... reasons) {
        assertThat(newest()).isEqualTo(100);
        assertThatThrownBy(() -> store.open(JOB, ATTEMPT, 200))
                .isInstanceOf(CheckpointException.class)
                .satisfies(e -> assertThat(e.getMessage()).contains(reasons));
    }

    private void saveTwo() {
        world.save(store, 1, 100, 2);
        world.save(store, 1, 200, 2);
    }

    /** A reader in the middle of its checks while another saver of the same step publishes. */
    @Test
    void d15_a_checkpoint_that_is_replaced_while_it_is_opened_is_whole() {
        world.save(store, 1, 100, 2);
        var replacing =
                new CheckpointStore(root, new OnceBefore("moments-1.safetensors", () -> world.save(store, 2, 100, 1)));
        LoadedCheckpoint loaded = replacing.open(JOB, ATTEMPT, 100);
        assertThat(loaded.state().generation()).isEqualTo(new Generation(2));
        world.assertLoaded(loaded, 2);
    }

    /** Something happens before the first file of a name is opened. */
    private static final class OnceBefore implements FileLayer {
        private final FileLayer disk = FileLayer.disk();
        private final String name;
        private final Runnable happens;
        private boolean happened;

        OnceBefore(String name, Runnable happens) {
            this.name = name;
            this.happens = happens;
        }

        @Override
        public SeekableByteChannel open(Path file) throws IOException {
            if (!happened && file.endsWith(name)) {
                happened = true;
                happens.run();
            }
            return disk.open(file);
        }

        @Override
        public Sink create(Path file) throws IOException {
            return disk.create(file);
        }

        @Override
        public void createDirectories(Path directory) throws IOException {
            disk.createDirectories(directory);
        }

        @Override
        public void rename(Path from, Path to) throws IOException {
            disk.rename(from, to);
        }

        @Override
        public void sync(Path directory) throws IOException {
            disk.sync(directory);
        }

        @Override
        public void delete(Path path) throws IOException {
            disk.delete(path);
        }

        @Override
        public List<String> list(Path directory) throws IOException {
            return disk.list(directory);
        }

        @Override
        public boolean exists(Path path) {
            return disk.exists(path);
        }
    }

    @Test
    void d14_half_written_by_all_writers_the_one_before_is_used_and_the_skipped_one_is_named() throws IOException {
        world.save(store, 1, 100, 2);
        CheckpointSave save = store.begin(JOB, ATTEMPT, new Generation(2), 200);
        save.writeModel(world.layout(), world.parameters());
        Part part = save.writeMoments(0, world.layout(), world.ownedBy(0, 2));
        truncate(root.resolve("gpt/a1/.tmp-step-000000200-g2/moments-0.safetensors"), part.bytes() / 2);

        assertSkippedFor("did not finish", "missing=[state.json, manifest.json]");
        assertThat(((Skipped) store.candidates(JOB, ATTEMPT).get(0).verdict()).reason())
                .contains("model.safetensors");

        world.save(store, 3, 200, 2); // the run gets to step 200 again
        assertThat(newest()).isEqualTo(200);
        assertThat(FileLayer.disk().list(root.resolve("gpt/a1"))).containsExactly("step-000000100", "step-000000200");
    }

    @Test
    void d14_a_missing_data_position_counts_as_incomplete() throws IOException {
        saveTwo();
        Files.delete(directoryOf(200).resolve("state.json"));
        assertSkippedFor("state.json is missing");
    }

    @Test
    void d14_the_highest_directory_number_does_not_decide() throws IOException {
        saveTwo();
        Files.createDirectories(root.resolve("gpt/a1/step-000000999"));
        copy(directoryOf(100), root.resolve("gpt/a1/step-000000998")); // its manifest says 100
        assertThat(newest()).isEqualTo(200);
        assertThatThrownBy(() -> store.open(JOB, ATTEMPT, 998)).hasMessageContaining("must name this directory");
    }

    @Test
    void d15_a_complete_newer_checkpoint_is_used_without_any_pointer() {
        saveTwo();
        assertThat(FileLayer.disk().exists(root.resolve("gpt/a1/LATEST"))).isFalse();
        assertThat(newest()).isEqualTo(200);
    }

    @Test
    void d15_saving_a_step_again_replaces_it_whole_and_says_from_where_it_came() {
        saveTwo();
        var other = SavedWorld.random(12, 2);
        other.save(store, 2, 200, 3);
        LoadedCheckpoint loaded = store.openNewest(JOB, ATTEMPT).orElseThrow();
        other.assertLoaded(loaded, 2);
        assertThat(loaded.state().generation()).isEqualTo(new Generation(2));
        assertThat(loaded.state().parent()).contains("a0/50");
        assertThat(loaded.fileNames()).contains("moments-2.safetensors");
    }

    @Test
    void d15_a_late_writer_of_an_older_generation_does_not_undo_the_newer() {
        world.save(store, 5, 200, 2);
        var late = SavedWorld.random(13, 2);
        assertThatThrownBy(() -> late.save(store, 4, 200, 2)).hasMessageContaining("same or a later generation");
        world.assertLoaded(store.openNewest(JOB, ATTEMPT).orElseThrow(), 1);
    }

    @Test
    void attempts_do_not_see_each_other() {
        saveTwo();
        assertThat(store.openNewest(JOB, "a2")).isEmpty();
        assertThatThrownBy(() -> store.open(JOB, "a2", 200)).hasMessageContaining("there is none of this step");
    }

    @ParameterizedTest
    @ValueSource(strings = {"model.safetensors", "moments-1.safetensors", "state.json", "config.json"})
    void a_truncated_file_is_found_by_its_size(String file) throws IOException {
        saveTwo();
        truncate(directoryOf(200).resolve(file), Files.size(directoryOf(200).resolve(file)) - 1);
        assertSkippedFor(file + " must have");
        assertThat(store.candidates(JOB, ATTEMPT).get(0).isComplete()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"model.safetensors", "moments-0.safetensors", "moments-1.safetensors", "state.json"})
    void a_flipped_bit_anywhere_is_found_by_its_checksum(String file) throws IOException {
        long seed = 5;
        var random = new Random(seed);
        for (int round = 0; round < 5; round++) {
            saveTwo();
            Path path = directoryOf(200).resolve(file);
            byte[] bytes = Files.readAllBytes(path);
            int bit = random.nextInt(bytes.length * 8);
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(path, bytes);
            assertSkippedFor(file + " is damaged");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "{\"format\":1}",
                "{\"format\":2}",
                "null",
                "{\"format\":1,\"job\":\"gpt\",\"attempt\":\"a1\",\"step\":200,\"generation\":1,\"shards\":1,"
                        + "\"files\":[{\"name\":\"../../x\",\"bytes\":1,\"sha256\":\"\"}]}"
            })
    void an_unreadable_manifest_is_skipped(String manifest) throws IOException {
        saveTwo();
        Files.writeString(directoryOf(200).resolve("manifest.json"), manifest);
        assertSkippedFor("manifest.json");
    }

    @Test
    void a_manifest_that_is_a_directory_or_empty_list_is_skipped() throws IOException {
        saveTwo();
        Files.writeString(
                directoryOf(200).resolve("manifest.json"),
                "{\"format\":1,\"job\":\"gpt\",\"attempt\":\"a1\",\"step\":200,\"generation\":1,\"shards\":0,\"files\":[]}");
        assertSkippedFor("lists no model.safetensors", "lists no state.json");
        Files.delete(directoryOf(200).resolve("manifest.json"));
        Files.createDirectory(directoryOf(200).resolve("manifest.json"));
        assertSkippedFor("manifest.json");
    }

    @Test
    void a_full_disk_at_any_byte_leaves_the_one_before_and_says_so() throws IOException {
        world.save(store, 1, 100, 2);
        long all = world.save(new CheckpointStore(root.resolve("measure"), FileLayer.disk()), 1, 200, 2)
                .bytes();
        for (long free = 0; free < all; free += all / 23) {
            var full = new CheckpointStore(root, FaultyFiles.fullAfter(free));
            assertThatThrownBy(() -> world.save(full, 2, 200, 2))
                    .isInstanceOf(CheckpointException.class)
                    .hasMessageContaining("No space left on device")
                    .hasMessageContaining("the one before stays in force");
            assertThat(newest()).isEqualTo(100);
        }
    }

    @Test
    void a_read_only_disk_is_named_and_still_read_from() {
        world.save(store, 1, 100, 2);
        var readOnly = new CheckpointStore(root, FaultyFiles.readOnly());
        assertThatThrownBy(() -> world.save(readOnly, 2, 200, 2))
                .isInstanceOf(CheckpointException.class)
                .hasMessageContaining("could not be saved")
                .hasMessageContaining("step-000000200")
                .hasMessageContaining("Read-only file system");
        assertThatThrownBy(() -> world.save(readOnly, 2, 100, 2)).hasMessageContaining("Read-only file system");
        world.assertLoaded(readOnly.openNewest(JOB, ATTEMPT).orElseThrow(), 2);
    }

    @Test
    void a_file_in_place_of_the_directory_is_named() throws IOException {
        Path file = Files.writeString(root.resolve("gpt"), "in the way");
        assertThatThrownBy(() -> world.save(store, 1, 200, 2))
                .isInstanceOf(CheckpointException.class)
                .hasMessageContaining(file.toString());
    }

    @Test
    void pruning_keeps_the_newest_complete_ones() {
        for (long step : List.of(100L, 200L, 300L, 400L)) {
            world.save(store, 1, step, 1);
        }
        assertThat(store.prune(JOB, ATTEMPT, 2)).isEqualTo(2);
        assertThat(store.candidates(JOB, ATTEMPT)).extracting(Candidate::step).containsExactly(400L, 300L);
        assertThat(store.prune(JOB, ATTEMPT, 2)).isZero();
    }

    @Test
    void pruning_never_takes_the_newest_complete_one_for_a_newer_broken_one() throws IOException {
        for (long step : List.of(100L, 200L, 300L)) {
            world.save(store, 1, step, 1);
        }
        Files.delete(directoryOf(300).resolve("model.safetensors"));
        store.prune(JOB, ATTEMPT, 1);
        assertThat(newest()).isEqualTo(200);
        assertThat(store.candidates(JOB, ATTEMPT)).extracting(Candidate::step).containsExactly(300L, 200L);
    }

    private static void truncate(Path file, long bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(bytes);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        for (String name : FileLayer.disk().list(from)) {
            Files.copy(from.resolve(name), to.resolve(name));
        }
    }
}
