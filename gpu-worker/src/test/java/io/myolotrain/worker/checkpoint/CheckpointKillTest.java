package io.myolotrain.worker.checkpoint;

import static io.myolotrain.worker.checkpoint.SavedWorld.ATTEMPT;
import static io.myolotrain.worker.checkpoint.SavedWorld.JOB;
import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.worker.checkpoint.FaultyFiles.Killed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A save is killed at each of its changes to the disk in turn; what is found afterwards is always the old or the new one. */
class CheckpointKillTest {
    private static final int RANKS = 2;
    private static final int CHANGES_MAX = 500;

    private final SavedWorld old = SavedWorld.tiny(1);
    private final SavedWorld fresh = SavedWorld.tiny(2);

    @TempDir
    Path temp;

    @Test
    void killed_at_any_change_a_later_step_leaves_the_old_or_the_new() throws IOException {
        killAtEveryChange(FaultyFiles::killedAt, 100, 200);
    }

    @Test
    void killed_at_any_change_a_repeated_step_leaves_the_old_or_the_new() throws IOException {
        killAtEveryChange(FaultyFiles::killedAt, 100, 100);
    }

    @Test
    void a_power_cut_at_any_change_leaves_the_old_or_the_new() throws IOException {
        killAtEveryChange(FaultyFiles::powerCutAt, 100, 200);
        killAtEveryChange(FaultyFiles::powerCutAt, 100, 100);
    }

    private void killAtEveryChange(IntFunction<FaultyFiles> faulty, long oldStep, long newStep) throws IOException {
        boolean sawOld = false;
        boolean sawNew = false;
        int change = 1;
        for (; change < CHANGES_MAX; change++) {
            Path root = Files.createTempDirectory(temp, "root");
            old.save(new CheckpointStore(root, FaultyFiles.healthy()), 1, oldStep, RANKS);
            FaultyFiles files = faulty.apply(change);
            try {
                fresh.save(new CheckpointStore(root, files), 2, newStep, RANKS);
            } catch (Killed expected) {
                assertThat(files.wasKilled()).isTrue();
            }
            var store = new CheckpointStore(root, FaultyFiles.healthy());
            LoadedCheckpoint found = store.openNewest(JOB, ATTEMPT).orElseThrow();
            boolean isNew = fresh.isLoadedBy(found);
            (isNew ? fresh : old).assertLoaded(found, 3);
            assertThat(found.state())
                    .as("killed at change " + change)
                    .isEqualTo(isNew ? fresh.state(2, newStep) : old.state(1, oldStep));
            sawOld |= !isNew;
            sawNew |= isNew;
            assertSavingAgainWorks(root, store, newStep);
            if (!files.wasKilled()) {
                break;
            }
        }
        assertThat(change).as("the save ends before the bound").isLessThan(CHANGES_MAX);
        assertThat(sawOld && sawNew)
                .as("kills fell before and after the publication")
                .isTrue();
    }

    private void assertSavingAgainWorks(Path root, CheckpointStore store, long step) throws IOException {
        fresh.save(store, 3, step, RANKS);
        LoadedCheckpoint found = store.openNewest(JOB, ATTEMPT).orElseThrow();
        assertThat(found.state()).isEqualTo(fresh.state(3, step));
        fresh.assertLoaded(found, 2);
        try (Stream<Path> left = Files.list(root.resolve("gpt/a1"))) {
            List<String> names =
                    left.map(path -> path.getFileName().toString()).sorted().toList();
            assertThat(names).as("nothing is left over").allMatch(CheckpointPaths::isPublished);
        }
    }
}
