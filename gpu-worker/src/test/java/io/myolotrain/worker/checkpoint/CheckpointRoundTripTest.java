package io.myolotrain.worker.checkpoint;

import static io.myolotrain.worker.checkpoint.SavedWorld.ATTEMPT;
import static io.myolotrain.worker.checkpoint.SavedWorld.JOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.ModelShape.Family;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckpointRoundTripTest {
    private static final long SEED = 7;

    @TempDir
    Path root;

    private CheckpointStore store;

    @BeforeEach
    void openStore() {
        store = new CheckpointStore(root, FileLayer.disk());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void every_bit_comes_back_whatever_the_number_of_slices_and_of_readers(int slices) {
        var world = SavedWorld.random(SEED, slices);
        world.save(store, 1, 100, 3);
        for (int readers = 1; readers <= 5; readers++) {
            world.assertLoaded(store.openNewest(JOB, ATTEMPT).orElseThrow(), readers);
        }
    }

    @Test
    void an_encoder_comes_back_too() {
        var world = SavedWorld.random(SEED, SavedWorld.shape(Family.BERT, 2));
        world.save(store, 1, 100, 2);
        LoadedCheckpoint loaded = store.openNewest(JOB, ATTEMPT).orElseThrow();
        world.assertLoaded(loaded, 2);
        assertThat(loaded.fileNames())
                .as("GPT-2's configuration is for GPT only")
                .doesNotContain("config.json");
    }

    @Test
    void the_state_comes_back_as_it_was() {
        var world = SavedWorld.random(SEED, 2);
        world.save(store, 3, 100, 2);
        assertThat(store.openNewest(JOB, ATTEMPT).orElseThrow().state()).isEqualTo(world.state(3, 100));
    }

    @Test
    void a_checkpoint_lists_its_files_with_the_manifest_apart() throws Exception {
        var published = SavedWorld.random(SEED, 2).save(store, 1, 100, 2);
        assertThat(published.directory()).isEqualTo(root.resolve("gpt/a1/step-000000100"));
        assertThat(FileLayer.disk().list(published.directory()))
                .containsExactly(
                        "config.json",
                        "manifest.json",
                        "model.safetensors",
                        "moments-0.safetensors",
                        "moments-1.safetensors",
                        "state.json");
        assertThat(store.openNewest(JOB, ATTEMPT).orElseThrow().fileNames()).doesNotContain("manifest.json");
    }

    @Test
    void weights_of_another_shape_are_refused() {
        SavedWorld.random(SEED, 2).save(store, 1, 100, 1);
        LoadedCheckpoint loaded = store.openNewest(JOB, ATTEMPT).orElseThrow();
        var other = SavedWorld.random(SEED, 4);
        assertThatThrownBy(() -> loaded.readParameters(other.layout(), other.parameters()))
                .isInstanceOf(CheckpointException.class)
                .hasMessageContaining("into the model that wrote it");
    }

    @Test
    void publishing_needs_every_shard_exactly_once() {
        var world = SavedWorld.random(SEED, 1);
        int shards = world.layout().shards().size();
        CheckpointSave save = store.begin(JOB, ATTEMPT, new Generation(1), 100);
        Part model = save.writeModel(world.layout(), world.parameters());
        Part half = save.writeMoments(0, world.layout(), world.ownedBy(0, 2));
        Part all = save.writeMoments(1, world.layout(), world.moments());
        assertThatThrownBy(() -> save.publish(world.state(1, 100), shards, List.of(model, half)))
                .hasMessageContaining("every shard's moments");
        assertThatThrownBy(() -> save.publish(world.state(1, 100), shards, List.of(model, half, all)))
                .hasMessageContaining("a shard must be in one moments file");
        assertThatThrownBy(() -> save.publish(world.state(1, 100), shards, List.of(all)))
                .hasMessageContaining("holds the model");
        assertThat(store.candidates(JOB, ATTEMPT)).noneMatch(Candidate::isComplete);
    }

    @Test
    void a_rank_without_shards_writes_an_empty_part() {
        var world = SavedWorld.random(SEED, 1);
        CheckpointSave save = store.begin(JOB, ATTEMPT, new Generation(1), 100);
        Part model = save.writeModel(world.layout(), world.parameters());
        Part all = save.writeMoments(0, world.layout(), world.moments());
        Part none = save.writeMoments(1, world.layout(), new TreeMap<>());
        save.publish(world.state(1, 100), world.layout().shards().size(), List.of(model, all, none));
        world.assertLoaded(store.openNewest(JOB, ATTEMPT).orElseThrow(), 3);
    }

    @Test
    void a_part_that_rank_0_cannot_see_is_named_with_what_to_do() {
        var world = SavedWorld.random(SEED, 1);
        CheckpointSave save = store.begin(JOB, ATTEMPT, new Generation(1), 100);
        Part model = save.writeModel(world.layout(), world.parameters());
        var elsewhere = new Part(1, 10, "00".repeat(32));
        assertThatThrownBy(() -> save.publish(world.state(1, 100), 5, List.of(model, elsewhere)))
                .hasMessageContaining("moments-1.safetensors")
                .hasMessageContaining("all workers share");
    }

    @Test
    void words_of_a_failed_rank_tell_the_publisher() {
        assertThatThrownBy(() -> Part.fromWords(Part.failedWords(), 0))
                .hasMessageContaining("could not write its part");
    }

    @Test
    void an_attempt_cannot_name_a_directory_outside() {
        for (String attempt : List.of("..", "a/b", "", ".hidden", "a\0b")) {
            assertThatThrownBy(() -> store.candidates(JOB, attempt)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
