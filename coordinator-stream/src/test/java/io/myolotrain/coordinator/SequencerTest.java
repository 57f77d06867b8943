package io.myolotrain.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.WorkerRef;
import io.myolotrain.topics.DeadLetter;
import io.myolotrain.topics.EventIngress;
import io.myolotrain.topics.Ingress;
import io.myolotrain.topics.JournalLine;
import io.myolotrain.topics.Topics;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SequencerTest {
    private static final WorkerRef A = Given.ref("a", 1);
    private static final String CONFIG = Topics.CONFIG_CHANGES.name();
    private static final String POOL = Given.POOL.value();

    @TempDir
    Path directory;

    private Harness harness;

    @BeforeEach
    void start() {
        harness = new Harness(directory);
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    @Test
    void events_of_all_ingress_topics_come_in_one_order_with_the_sequencers_clock() {
        String first = harness.send(Given.joined(A));
        harness.pass(1_000);
        String second = harness.send(Given.submitted("t1", 1));
        String third = harness.send(Given.change("workers", "2"));

        List<JournalLine> journal = harness.journal();

        assertThat(journal).extracting(JournalLine::eventId).containsExactly(first, second, third);
        assertThat(journal)
                .extracting(JournalLine::atMs)
                .containsExactly(Harness.START_MS, Harness.START_MS + 1_000, Harness.START_MS + 1_000);
    }

    @Test
    void a_heartbeat_does_not_reach_the_journal() {
        harness.heartbeat(A);

        assertThat(harness.journal()).isEmpty();
        assertThat(harness.deadLetters()).isEmpty();
    }

    @Test
    void an_event_passes_once_however_often_it_is_sent() {
        harness.send("same", Given.change("workers", "2"));
        harness.send("same", Given.change("workers", "3"));

        assertThat(harness.journal()).hasSize(1);
        assertThat(harness.counts()).containsEntry(Counters.DUPLICATES, 1L);
    }

    /** Case G03: random bytes, truncated JSON, JSON of a wrong type, between two good events. */
    @Test
    void G03_poison_records_are_put_aside_with_place_reason_and_bytes_and_the_good_ones_go_on() {
        byte[] random = {0x13, 0x37, 0x42};
        byte[] truncated = "{\"job\": \"be".getBytes(StandardCharsets.UTF_8);
        byte[] wrongType = "[1, 2, 3]".getBytes(StandardCharsets.UTF_8);
        String before = harness.send(Given.change("workers", "2"));
        harness.raw(CONFIG, POOL, random, harness.nowMs());
        harness.raw(CONFIG, POOL, truncated, harness.nowMs());
        harness.raw(CONFIG, POOL, wrongType, harness.nowMs());
        String after = harness.send(Given.change("workers", "3"));

        assertThat(harness.journal()).extracting(JournalLine::eventId).containsExactly(before, after);
        List<DeadLetter> letters = harness.deadLetters();
        assertThat(letters).extracting(DeadLetter::topic).containsOnly(CONFIG);
        assertThat(letters).extracting(DeadLetter::offset).containsExactly(1L, 2L, 3L);
        assertThat(letters).extracting(DeadLetter::bytes).containsExactly(random, truncated, wrongType);
        assertThat(letters).extracting(DeadLetter::reason).allSatisfy(reason -> assertThat(reason)
                .contains("a record must"));
        assertThat(harness.counters.rejectedInAll()).isEqualTo(3);
    }

    @Test
    void an_unknown_schema_id_is_a_dead_letter() {
        byte[] unknown = ByteBuffer.allocate(20).put((byte) 0).putInt(4_711).array();

        assertRejected(Rejection.Rule.UNREADABLE, CONFIG, POOL, unknown, harness.nowMs());
    }

    @Test
    void the_value_of_another_topic_is_a_dead_letter() {
        byte[] journal = harness.codecs.of(Topics.JOURNAL).encode(new JournalLine("x", 1, new Event.WorkerLost(A, 1)));

        assertRejected(Rejection.Rule.UNREADABLE, CONFIG, POOL, journal, harness.nowMs());
    }

    /** Case G05: null means that nothing is there; nobody is asked what it might be. */
    @Test
    void G05_a_tombstone_is_put_aside_without_a_call_to_the_registry() {
        harness.raw(CONFIG, POOL, null, harness.nowMs());
        assertThat(harness.registry.lookUps()).isZero();

        assertRejected(Rejection.Rule.TOMBSTONE, CONFIG, POOL, null, harness.nowMs());
    }

    @Test
    void a_key_that_is_no_pool_or_another_pool_is_a_dead_letter() {
        byte[] good = config("id-1", Given.POOL);

        assertRejected(Rejection.Rule.KEY, CONFIG, null, good, harness.nowMs());
        assertRejected(Rejection.Rule.KEY, CONFIG, "../etc/passwd", good, harness.nowMs());
        assertRejected(Rejection.Rule.KEY, CONFIG, "another-pool", good, harness.nowMs());
    }

    @Test
    void a_huge_record_is_put_aside_unread() {
        byte[] huge = new byte[harness.options.bounds().eventBytesMax() + 1];

        assertRejected(Rejection.Rule.TOO_LARGE, CONFIG, POOL, huge, harness.nowMs());
    }

    @Test
    void a_record_or_an_event_of_the_future_is_a_dead_letter_and_one_of_the_past_is_not() {
        long toleranceMs = harness.options.clocks().futureTolerance().toMillis();
        // The record's time is held against the driver's clock and clamped by the system's: both are passed here.
        long future = System.currentTimeMillis() + 10 * toleranceMs;
        assertRejected(Rejection.Rule.FUTURE, CONFIG, POOL, config("id-1", Given.POOL), future);
        byte[] sentLater = harness.codecs
                .of(Topics.CONFIG_CHANGES)
                .encode(Given.ingress("id-2", Given.change("workers", "2"), Long.MAX_VALUE));
        assertRejected(Rejection.Rule.FUTURE, CONFIG, POOL, sentLater, harness.nowMs());

        byte[] sentLongAgo = harness.codecs
                .of(Topics.CONFIG_CHANGES)
                .encode(Given.ingress("id-3", Given.change("workers", "2"), Long.MIN_VALUE));
        harness.raw(CONFIG, POOL, sentLongAgo, 0);
        assertThat(harness.journal()).extracting(JournalLine::eventId).containsExactly("id-3");
    }

    @Test
    void more_pools_than_a_partition_serves_are_put_aside() {
        for (int i = 0; i < RememberedIds.POOLS_MAX; i++) {
            var pool = new PoolId("pool-" + i);
            harness.raw(CONFIG, pool.value(), config("id", pool), harness.nowMs());
        }
        assertThat(harness.journal()).hasSize(RememberedIds.POOLS_MAX);

        harness.raw(CONFIG, POOL, config("id", Given.POOL), harness.nowMs());
        harness.raw(CONFIG, "pool-0", config("another", new PoolId("pool-0")), harness.nowMs());
        assertThat(harness.journal()).extracting(JournalLine::eventId).containsExactly("another");
        assertThat(harness.deadLetters()).hasSize(1);
        assertThat(harness.counts()).containsEntry("rejected.pools", 1L);
    }

    /** Whatever comes, the next good event is heard. */
    @Test
    void random_bytes_on_every_topic_stop_nothing() {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        var random = new Random(seed);
        byte[] good = config("id-0", Given.POOL);
        List<String> topics = List.of(
                CONFIG,
                Topics.WORKER_EVENTS.name(),
                Topics.STEP_COMPLETIONS.name(),
                Topics.DECISIONS.name(),
                Topics.JOURNAL.name());
        for (int i = 0; i < 2_000; i++) {
            byte[] bytes = random.nextBoolean() ? good.clone() : new byte[random.nextInt(200)];
            if (bytes.length != good.length) {
                random.nextBytes(bytes);
            } else {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            }
            harness.raw(topics.get(i % topics.size()), POOL, bytes, harness.nowMs());
        }
        harness.journal();

        String after = harness.send(Given.joined(A));

        assertThat(harness.journal()).extracting(JournalLine::eventId).containsExactly(after);
        assertThat(harness.facts()).isNotEmpty();
        assertThat(harness.deadLetters()).hasSizeGreaterThan(500);
    }

    @Test
    void while_the_registry_is_away_a_record_waits_and_is_no_dead_letter() {
        byte[] good = config("id-1", Given.POOL);
        harness.registry.fail(3);

        harness.raw(CONFIG, POOL, good, harness.nowMs());

        assertThat(harness.journal()).extracting(JournalLine::eventId).containsExactly("id-1");
        assertThat(harness.deadLetters()).isEmpty();
    }

    @Test
    void a_registry_that_stays_away_ends_the_thread_and_not_the_record() {
        byte[] good = config("id-1", Given.POOL);
        harness.registry.fail(Integer.MAX_VALUE);

        assertThatThrownBy(() -> harness.raw(CONFIG, POOL, good, harness.nowMs()))
                .hasStackTraceContaining("RegistryUnavailable");
        assertThat(harness.deadLetters()).isEmpty();
    }

    /** Case G10: offsets start again with a new topic; case G17: nothing is done twice because of a restart. */
    @Test
    void G10_G17_after_a_restart_and_with_offsets_from_zero_new_events_pass_and_old_ones_do_not() {
        var sent = new ArrayList<String>();
        for (int i = 0; i < 10; i++) {
            sent.add(harness.send(Given.change("workers", "2")));
        }
        assertThat(harness.journal()).hasSize(10);

        harness.restart();
        sent.forEach(id -> harness.send(id, Given.change("workers", "2")));
        String fresh = harness.send(Given.change("workers", "2"));

        assertThat(harness.journal()).extracting(JournalLine::eventId).containsExactly(fresh);
        assertThat(harness.counts()).containsEntry(Counters.DUPLICATES, 10L);
        assertThat(harness.decisions()).extracting(d -> d.eventId()).containsExactly(fresh);
        assertThat(harness.counts()).containsEntry(Counters.JOURNAL_MADE_ANEW, 1L);
    }

    /** Case G12: a producer that retries, and one that is started again and sends its last events once more. */
    @Test
    void G12_numbered_events_with_retries_have_one_effect_each() {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        var random = new Random(seed);
        int events = 3_000;
        int retries = 0;
        for (int i = 0; i < events; i++) {
            harness.send("n-" + i, new Event.CheckpointWritten(Given.JOB, "t1", Generation.NONE, i, "d", 1));
            if (random.nextInt(5) == 0) {
                int again = Math.max(0, i - random.nextInt(1_000));
                harness.send(
                        "n-" + again, new Event.CheckpointWritten(Given.JOB, "t1", Generation.NONE, again, "d", 1));
                retries++;
            }
        }

        List<JournalLine> journal = harness.journal();

        assertThat(journal).hasSize(events);
        assertThat(new TreeSet<>(journal.stream().map(JournalLine::eventId).toList()))
                .hasSize(events);
        assertThat(harness.counts()).containsEntry(Counters.DUPLICATES, (long) retries);
    }

    private byte[] config(String id, PoolId pool) {
        return harness.codecs
                .of(Topics.CONFIG_CHANGES)
                .encode(new EventIngress(
                        new Ingress.Header(id, pool, "test", harness.nowMs()), Given.change("workers", "2")));
    }

    private void assertRejected(
            Rejection.Rule rule, String topic, @Nullable String key, byte @Nullable [] value, long timestampMs) {
        harness.deadLetters();
        harness.journal();
        long before = harness.counts().getOrDefault("rejected." + rule.label(), 0L);
        harness.raw(topic, key, value, timestampMs);
        String good = "good-" + rule + "-" + harness.counters.rejectedInAll();
        harness.send(good, Given.joined(A));

        assertThat(harness.deadLetters()).singleElement().satisfies(letter -> {
            assertThat(letter.topic()).isEqualTo(topic);
            assertThat(letter.reason()).isNotBlank();
            assertThat(letter.bytes()).isEqualTo(value == null ? new byte[0] : value);
        });
        assertThat(harness.counts()).containsEntry("rejected." + rule.label(), before + 1);
        assertThat(harness.journal()).extracting(JournalLine::eventId).containsExactly(good);
    }
}
