package io.myolotrain.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.coordination.JournalEntry;
import io.myolotrain.core.model.Plan;
import io.myolotrain.topics.Codecs;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;

class FoldTest {
    private final Wire wire = new Wire(Codecs.of(new FakeRegistry()));

    private Fold fold(KeyValueStore<String, byte[]> store, int snapshotEvery) {
        return new Fold(new CoreRules(), wire, store, snapshotEvery, new Counters());
    }

    private Decision decide(Fold fold, JournalEntry entry) {
        Decision decision = fold.decide(Given.POOL, entry);
        if (!decision.facts().isEmpty()) {
            fold.keep(Given.POOL, decision, wire.encode(decision));
        }
        return decision;
    }

    /** The next thing that happens, in a life that follows its own plans; offsets have gaps, as in a journal. */
    private static Event next(Random random, List<Plan> plans, int i) {
        if (i < 4) {
            return Given.joined(Given.ref("w" + i, 1));
        }
        if (i == 4) {
            return Given.submitted("t1", 2);
        }
        Plan plan = plans.get(plans.size() - 1);
        int rank = random.nextInt(plan.worldSize());
        return switch (random.nextInt(8)) {
            case 0 -> Given.change("workers", String.valueOf(1 + random.nextInt(5)));
            case 1 -> Given.applied(plan, plan.members().get(rank).worker().ref(), 1 + i);
            case 2 -> new Event.WorkerLost(plan.members().get(rank).worker().ref(), 6_000);
            case 3 -> Given.joined(Given.ref("w" + random.nextInt(4), 2L + i));
            default -> Given.step(plan, rank, 1 + i);
        };
    }

    /** Decisions with their hashes: the state that is restored is, byte for byte, the fold up to the last entry. */
    @Test
    void a_fold_that_is_restored_at_any_entry_decides_byte_for_byte_what_it_would_have_decided() {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        for (int snapshotEvery : new int[] {1, 2, 7, 1_000}) {
            var random = new Random(seed);
            Fold steady = fold(TestStores.inMemory(Serdes.ByteArray()), 1_000);
            KeyValueStore<String, byte[]> store = TestStores.inMemory(Serdes.ByteArray());
            Fold shaken = fold(store, snapshotEvery);
            var plans = new ArrayList<Plan>();
            long offset = 0;
            for (int i = 0; i < 200; i++) {
                offset += 1 + random.nextInt(3);
                var entry = new JournalEntry(offset, "e" + i, 1_000L * i, next(random, plans, i));
                Decision expected = decide(steady, entry);
                assertThat(decide(shaken, entry)).as("entry " + i).isEqualTo(expected);
                for (Fact fact : expected.facts()) {
                    if (fact instanceof Fact.PlanIssued issued) {
                        plans.add(issued.plan());
                    }
                }
                if (random.nextInt(3) == 0) {
                    shaken = fold(store, snapshotEvery);
                }
            }
            assertThat(plans).hasSizeGreaterThan(3);
        }
    }
}
