package io.myolotrain.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DeduplicationTest {
    @Test
    void an_id_passes_once() {
        var memory = new Deduplication(10);

        assertThat(memory.remember("a")).isEqualTo(OptionalLong.of(0));
        assertThat(memory.remember("b")).isEqualTo(OptionalLong.of(1));
        assertThat(memory.remember("a")).isEmpty();
    }

    /** Case G12: brokers are restarted, so sends are retried; and so is the producer, which sends its last ones again. */
    @Test
    void G12_a_hundred_thousand_numbered_events_with_retries_pass_once_each() {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        var random = new Random(seed);
        var memory = new Deduplication(100_000);
        int passed = 0;
        for (int i = 0; i < 100_000; i++) {
            passed += memory.remember("n-" + i).isPresent() ? 1 : 0;
            int again = Math.max(0, i - random.nextInt(50_000));
            passed += memory.remember("n-" + again).isPresent() ? 1 : 0;
        }

        assertThat(passed).isEqualTo(100_000);
    }

    @Test
    void only_the_last_ids_are_remembered() {
        var memory = new Deduplication(2);
        memory.remember("a");
        memory.remember("b");
        memory.remember("c");

        assertThat(memory.remember("b")).isEmpty();
        assertThat(memory.remember("a")).isPresent();
    }

    /** What a store with one value per slot holds is enough to go on as if nothing had happened. */
    @Test
    void a_memory_recalled_from_its_slots_answers_like_the_one_that_never_stopped() {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        var random = new Random(seed);
        int capacity = 1 + random.nextInt(50);
        var lived = new Deduplication(capacity);
        var numberBySlot = new TreeMap<Long, Long>();
        var idBySlot = new TreeMap<Long, String>();
        for (int i = 0; i < 500; i++) {
            String id = "id-" + random.nextInt(120);
            OptionalLong number = lived.remember(id);
            if (number.isPresent()) {
                long slot = lived.slot(number.getAsLong());
                numberBySlot.put(slot, number.getAsLong());
                idBySlot.put(slot, id);
            }
        }
        var kept = new TreeMap<Long, String>();
        numberBySlot.forEach((slot, number) -> kept.put(number, String.valueOf(idBySlot.get(slot))));

        Deduplication recalled = Deduplication.recalled(capacity, kept);

        assertThat(kept).hasSizeLessThanOrEqualTo(capacity);
        for (int i = 0; i < 500; i++) {
            String id = "id-" + random.nextInt(120);
            assertThat(recalled.remember(id)).as(id).isEqualTo(lived.remember(id));
        }
    }

    @Test
    void a_memory_of_nothing_is_refused() {
        assertThatThrownBy(() -> new Deduplication(0)).hasMessageContaining("capacity=0");
    }
}
