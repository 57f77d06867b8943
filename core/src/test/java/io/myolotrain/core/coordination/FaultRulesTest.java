package io.myolotrain.core.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.Plan.Member;
import io.myolotrain.core.model.WorkerRef;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Workers that lie, sleep, come back and flap. */
class FaultRulesTest {
    private final Pool pool = new Pool();

    private void running(int workers, String... ids) {
        pool.join(ids);
        pool.submit(workers, 1_000);
        pool.applied();
    }

    private List<Fact> joins(String id, long incarnation) {
        return pool.on(new Event.WorkerJoined(Pool.worker(Pool.ref(id, incarnation), "host")));
    }

    private List<Fact> dies(String id, long incarnation) {
        return pool.on(new Event.WorkerLost(Pool.ref(id, incarnation), 6_000));
    }

    private void timeIsUp(String timer) {
        long due = pool.state.timers().get(timer);
        pool.at(due, new Event.TimerFired(timer, due));
    }

    private static void assertStale(List<Fact> facts) {
        assertThat(facts).singleElement().isInstanceOf(Fact.StaleIgnored.class);
    }

    @Nested
    @DisplayName("D05 A zombie that wakes is fenced wherever it knocks")
    class Zombie {
        private Plan old;

        private void evicted() {
            running(3, "w1", "w2", "w3");
            old = pool.active();
            pool.step(old, 30);
            pool.failed(old, "w1", "w2");
            pool.applied();
            pool.step(pool.active(), 31);
        }

        @Test
        void itsReportsOfTheWorldThatWentOnWithoutItAreStale() {
            evicted();
            Member zombie = old.member(Pool.ref("w2")).orElseThrow();
            ClusterState before = pool.state;
            assertStale(pool.on(Pool.stepBy(old, zombie, 32)));
            assertStale(pool.failed(old, "w2", "w1", "w3"));
            assertStale(pool.on(new Event.PlanFailed(
                    Pool.JOB, Pool.ATTEMPT, pool.active().generation(), Pool.ref("w2"), "no memory")));
            assertStale(pool.checkpoint(old.generation(), 32));
            assertStale(pool.on(new Event.WorkerDraining(Pool.ref("w2"), "maintenance")));
            assertStale(pool.on(new Event.WorkerLeft(Pool.ref("w2"), "done")));
            assertThat(pool.applied(pool.active(), Pool.ref("w2"))).isEmpty();
            assertThat(pool.state.withLastOffset(0)).isEqualTo(before.withLastOffset(0));
        }

        @Test
        void itMustJoinAnewAsAnotherIncarnation() {
            evicted();
            assertStale(joins("w2", 1));
            assertStale(joins("w2", 0));
            assertThat(joins("w2", 2)).anyMatch(Fact.WorkerAdmitted.class::isInstance);
            assertThat(pool.members(pool.pending())).containsExactly("w1", "w3", "w2");
        }

        @Test
        void anOldLifeCannotComeBackAfterANewerOneHasLeft() {
            running(1, "w1", "w2");
            joins("w2", 7);
            pool.on(new Event.WorkerLeft(Pool.ref("w2", 7), "maintenance"));
            assertStale(joins("w2", 6));
            assertStale(joins("w2", 7));
            pool.atMs += Trust.STABLE_MS; // a clock that was set back must not lock its host out for ever
            assertThat(joins("w2", 6)).anyMatch(Fact.WorkerAdmitted.class::isInstance);
        }

        @Test
        void aStepThatTheNextWorldMakesIsNotTakenFromTheLastOne() {
            running(2, "w1", "w2", "w3");
            old = pool.active();
            pool.step(old, 5);
            pool.change("workers", "3");
            pool.on(new Event.PlanApplied(
                    Pool.JOB, Pool.ATTEMPT, pool.pending().generation(), Pool.ref("w1"), 7, 0, 0));
            Member first = old.members().get(0);
            assertThat(pool.on(Pool.stepBy(old, first, 6)))
                    .as("made before the switch, reported after it")
                    .singleElement()
                    .isInstanceOf(Fact.ProgressRecorded.class);
            assertStale(pool.on(Pool.stepBy(old, first, 7)));
            assertThat(pool.job().committedStep()).isEqualTo(6);
        }
    }

    @Test
    void aStepOfAPendingPlanProvesThatItIsInForceWhenEveryReportOfTheSwitchIsLost() {
        running(1, "w1", "w2");
        pool.step(pool.active(), 5);
        pool.change("workers", "2");
        Plan plan = pool.pending();
        List<Fact> facts = pool.on(Pool.stepBy(plan, plan.members().get(1), 6));
        assertThat(facts).anyMatch(fact -> fact instanceof Fact.PlanActivated a && a.firstStep() == 6);
        assertThat(pool.active()).isEqualTo(plan);
        assertThat(pool.job().committedStep()).isEqualTo(6);
        assertThat(pool.state.timers()).isEmpty();
    }

    @Test
    void membersThatHadToStartEarlierThanTheLogKnowsSetItBack() {
        running(2, "w1", "w2", "w3");
        Plan old = pool.active();
        for (int step = 1; step <= 12; step++) {
            pool.step(old, step);
        }
        pool.checkpoint(old.generation(), 10);
        pool.change("workers", "3");
        Plan plan = pool.pending();
        pool.on(new Event.PlanApplied(Pool.JOB, Pool.ATTEMPT, plan.generation(), Pool.ref("w3"), 11, 0, 0));
        assertThat(pool.job().committedStep()).isEqualTo(10);
        assertThat(pool.job().samples()).isEqualTo(320);
        assertStale(pool.on(Pool.stepBy(old, old.members().get(0), 12)));
        pool.step(pool.active(), 11);
        assertThat(pool.job().committedStep()).isEqualTo(11);
    }

    @Test
    void aStepThatOnlyADeadMemberHadIsRunAgainAndCountsOnce() {
        running(2, "w1", "w2");
        Plan old = pool.active();
        pool.step(old, 5);
        pool.on(Pool.stepBy(old, old.members().get(1), 6));
        pool.failed(old, "w1", "w2");
        pool.on(new Event.PlanApplied(Pool.JOB, Pool.ATTEMPT, pool.pending().generation(), Pool.ref("w1"), 6, 0, 0));
        assertThat(pool.job().committedStep()).isEqualTo(6);
        assertThat(pool.step(pool.active(), 6)).isEmpty();
        assertThat(pool.step(pool.active(), 7)).hasSize(1);
    }

    @Nested
    @DisplayName("D05 Few members that accuse many wait until the many had a chance to speak")
    class Suspicion {
        private static final String TIMER = "verdict:job:1";

        @Test
        void aWorkerThatWokeAndFoundEverythingClosedEvictsNobody() {
            running(4, "w1", "w2", "w3", "w4");
            Plan plan = pool.active();
            List<Fact> accused = pool.failed(plan, "w2", "w1", "w3", "w4");
            assertThat(accused)
                    .anyMatch(Fact.WorkersSuspected.class::isInstance)
                    .noneMatch(fact -> fact instanceof Fact.WorkerRemoved || fact instanceof Fact.PlanIssued);
            assertThat(pool.job().phase()).isEqualTo(JobPhase.WAITING);

            pool.failed(plan, "w1", "w2");
            assertThat(pool.members(pool.pending())).containsExactly("w1", "w3", "w4");
            assertThat(pool.pending().resumeStep()).isEmpty();
            assertThat(pool.state.timers()).doesNotContainKey(TIMER);
            assertThat(pool.job().accusation()).isEmpty();
        }

        @Test
        void whoIsSilentWhenTheTimeIsUpIsRemovedAndWhoSpokeStays() {
            running(4, "w1", "w2", "w3", "w4");
            Plan plan = pool.active();
            pool.failed(plan, "w1", "w2", "w3", "w4");
            pool.failed(plan, "w3", "w2", "w1", "w4");
            assertThat(pool.state.timers().get(TIMER) - pool.atMs).isLessThanOrEqualTo(Suspicions.VERDICT_MS);
            timeIsUp(TIMER);
            assertThat(pool.members(pool.pending())).containsExactly("w1", "w3");
        }

        @Test
        @DisplayName("all but one die: the last one goes on when the time is up, and the plan says where from")
        void allButOne() {
            running(4, "w1", "w2", "w3", "w4");
            pool.step(pool.active(), 7);
            pool.checkpoint(pool.active().generation(), 5);
            pool.failed(pool.active(), "w4", "w1", "w2", "w3");
            timeIsUp(TIMER);
            assertThat(pool.members(pool.pending())).containsExactly("w4");
            assertThat(pool.pending().resumeStep()).contains(5L);
            assertThat(pool.pending().reason())
                    .contains("of 3 suspected members none was heard for 2000 ms")
                    .contains("shards have no living owner")
                    .endsWith("from the checkpoint of step 5");
        }

        @Test
        void whenAllAccusedSpeakTheSameMembersFormAnewAtOnce() {
            running(3, "w1", "w2", "w3");
            Plan plan = pool.active();
            pool.failed(plan, "w1", "w2", "w3");
            pool.failed(plan, "w2");
            assertThat(pool.job().pending()).isEmpty();
            pool.failed(plan, "w3");
            assertThat(pool.members(pool.pending())).containsExactly("w1", "w2", "w3");
            assertThat(pool.state.timers()).doesNotContainKey(TIMER);
        }

        @Test
        void accusedWhoAreReplacedByNewLivesNeedNotBeWaitedFor() {
            running(3, "w1", "w2", "w3");
            pool.failed(pool.active(), "w1", "w2", "w3");
            joins("w2", 2);
            assertThat(pool.job().pending()).isEmpty();
            joins("w3", 2);
            assertThat(pool.pending().resumeStep())
                    .as("their shards died with them")
                    .isPresent();
            assertThat(pool.pending().involves(Pool.ref("w2", 2))).isTrue();
            assertThat(pool.pending().involves(Pool.ref("w3", 2))).isTrue();
        }

        @Test
        void halfAgainstHalfIsDecidedAtOnce() {
            running(2, "w1", "w2");
            pool.failed(pool.active(), "w2", "w1");
            assertThat(pool.members(pool.pending())).containsExactly("w2");
        }
    }

    @Nested
    @DisplayName("D08 A worker that flaps is held back for longer and longer, and never for good")
    class Flapping {
        @Test
        void theCoolDownDoublesUpToItsCapWhileTheOthersTrainOn() {
            running(4, "w1", "w2", "w3", "w4");
            long[] expectedMs = {0, 10_000, 20_000, 40_000, 80_000, 100_000, 100_000, 100_000, 100_000, 100_000};
            for (int death = 1; death <= 10; death++) {
                pool.atMs += 15_000;
                if (pool.active().involves(Pool.ref("w3", death))) {
                    dies("w3", death);
                    pool.applied();
                } else {
                    assertThat(dies("w3", death)).as("no plan has it").noneMatch(Fact.PlanIssued.class::isInstance);
                }
                List<Fact> facts = joins("w3", death + 1);
                WorkerRef back = Pool.ref("w3", death + 1);
                Optional<Long> until = pool.state.heldBackUntilMs(back);
                assertThat(until.map(ms -> ms - pool.atMs).orElse(0L)).isEqualTo(expectedMs[death - 1]);
                if (until.isPresent()) {
                    assertThat(facts)
                            .anyMatch(fact -> fact instanceof Fact.WorkerHeldBack held
                                    && held.reason()
                                            .contains("died "
                                                    + pool.state
                                                            .pasts()
                                                            .get(back.id())
                                                            .deaths() + " times"));
                    assertThat(facts).noneMatch(Fact.PlanIssued.class::isInstance);
                } else {
                    pool.applied();
                }
                pool.step(pool.active(), pool.job().committedStep() + 1);
            }
            assertThat(pool.job().committedStep()).isEqualTo(10);
            assertThat(pool.job().counts().plansIssued())
                    .as("ten flaps, and the plans of the first two only")
                    .isLessThanOrEqualTo(5);
        }

        @Test
        void whoStaysUpForItsCoolDownIsPlannedInAgain() {
            flapped();
            WorkerRef back = Pool.ref("w2", 3);
            assertThat(pool.members(pool.active())).containsExactly("w1");
            timeIsUp("readmit:" + back);
            assertThat(pool.state.heldBackUntilMs(back)).isEmpty();
            assertThat(pool.pending().involves(back)).isTrue();
            assertThat(pool.pending().reason()).isEqualTo("worker w2#3 has stayed up for its cool-down");
        }

        @Test
        void afterAStableTimeTheRecordIsClean() {
            flapped();
            timeIsUp("readmit:w2#3");
            pool.applied();
            pool.atMs += Trust.STABLE_MS;
            dies("w2", 3);
            pool.applied();
            joins("w2", 4);
            assertThat(pool.state.heldBackUntilMs(Pool.ref("w2", 4))).isEmpty();
            assertThat(pool.pending().involves(Pool.ref("w2", 4))).isTrue();
        }

        @Test
        void aWorkerThatLeavesByItsOwnWordHasNotDied() {
            running(2, "w1", "w2");
            for (int life = 1; life <= 5; life++) {
                pool.on(new Event.WorkerLeft(Pool.ref("w2", life), "maintenance"));
                pool.applied();
                joins("w2", life + 1);
                assertThat(pool.state.heldBackUntilMs(Pool.ref("w2", life + 1))).isEmpty();
                pool.applied();
            }
        }

        @Test
        void aJobThatCouldNotStartWithoutItTakesItAllTheSame() {
            flapped();
            dies("w1", 1);
            joins("w1", 2);
            assertThat(pool.pending().involves(Pool.ref("w2", 3))).isTrue();
            assertThat(pool.pending().involves(Pool.ref("w1", 2))).isTrue();
        }

        @Test
        void aWorkerThatDiesWhileItIsHeldBackLeavesNoTimerBehind() {
            flapped();
            dies("w2", 3);
            assertThat(pool.state.timers()).doesNotContainKey("readmit:w2#3");
        }

        /** w2 has died twice and is back, held back; w1 trains alone. */
        private void flapped() {
            running(2, "w1", "w2");
            dies("w2", 1);
            pool.applied();
            joins("w2", 2);
            pool.applied();
            dies("w2", 2);
            pool.applied();
            joins("w2", 3);
            assertThat(pool.job().pending()).isEmpty();
        }
    }

    @Test
    void theMemoryOfEndedLivesIsBounded() {
        for (int i = 0; i < ClusterState.PASTS_MAX + 10; i++) {
            joins("x" + i, 1);
            pool.on(new Event.WorkerLeft(Pool.ref("x" + i, 1), "done"));
            pool.atMs -= 15; // all of them within the time that counts
        }
        assertThat(pool.state.pasts())
                .hasSize(ClusterState.PASTS_MAX)
                .doesNotContainKey(Pool.ref("x0").id());
        pool.atMs += Trust.STABLE_MS;
        joins("y", 1);
        pool.on(new Event.WorkerLeft(Pool.ref("y"), "done"));
        assertThat(pool.state.pasts()).hasSize(1);
    }
}
