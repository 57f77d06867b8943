package io.myolotrain.core.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.Coordinator;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.coordination.RecordedPool;
import io.myolotrain.core.encoding.CanonicalCodec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplayAuditTest {
    private final RecordedPool recorded = RecordedPool.withAResizeAndADeath();
    private final ReplayAudit audit = new ReplayAudit(new Coordinator()::process);

    @Test
    void theSameRulesDecideAJournalByteForByteAlike() {
        var codec = new CanonicalCodec();
        var again = new ArrayList<Decision>();
        ClusterState end = audit.fold(ClusterState.empty(RecordedPool.POOL), recorded.journal(), again::add);
        assertThat(end).isEqualTo(recorded.state());
        assertThat(again).hasSameSizeAs(recorded.decisions());
        for (int i = 0; i < again.size(); i++) {
            assertThat(codec.encode(again.get(i), Decision.class))
                    .isEqualTo(codec.encode(recorded.decisions().get(i), Decision.class));
        }
        assertThat(compare(recorded.decisions()).divergence()).isEmpty();
    }

    private ReplayAudit.Report compare(List<Decision> decisions) {
        return audit.compare(ClusterState.empty(RecordedPool.POOL), recorded.journal(), decisions);
    }

    @Test
    void theFirstDecisionThatDiffersIsNamedWithWhatDiffers() {
        var tampered = new ArrayList<>(recorded.decisions());
        int at = firstWith(Fact.PlanIssued.class);
        Decision real = tampered.get(at);
        List<Fact> facts = real.facts().stream()
                .map(f -> f instanceof Fact.PlanIssued p ? new Fact.PlanIssued(p.plan(), 77, 77) : f)
                .toList();
        tampered.set(
                at,
                new Decision(
                        real.offset(), real.eventId(), real.atMs(), real.plannerVersion(), real.stateHash(), facts));
        ReplayAudit.Divergence divergence = compare(tampered).divergence().orElseThrow();
        assertThat(divergence.offset()).isEqualTo(real.offset());
        assertThat(divergence.differences())
                .contains("facts[1].movedBytes: recorded=77 replayed=0")
                .hasSize(2);
    }

    private int firstWith(Class<? extends Fact> kind) {
        for (int i = 0; i < recorded.decisions().size(); i++) {
            if (recorded.decisions().get(i).facts().stream().anyMatch(kind::isInstance)) {
                return i;
            }
        }
        throw new AssertionError("no decision with " + kind);
    }

    @Test
    void anotherStateBehindTheSameFactsIsADifferenceToo() {
        var tampered = new ArrayList<>(recorded.decisions());
        Decision real = tampered.get(3);
        tampered.set(
                3, new Decision(real.offset(), real.eventId(), real.atMs(), real.plannerVersion(), "0", real.facts()));
        assertThat(compare(tampered).divergence().orElseThrow().differences())
                .singleElement()
                .asString()
                .startsWith("state hash: recorded=0 replayed=");
    }

    @Test
    void anotherVersionOfTheRulesThatDecidesAlikeIsNoDifference() {
        List<Decision> older = recorded.decisions().stream()
                .map(d -> new Decision(d.offset(), d.eventId(), d.atMs(), "older", d.stateHash(), d.facts()))
                .toList();
        assertThat(compare(older).divergence()).isEmpty();
    }

    @Test
    void decisionsWithoutFactsNeedNoRecord() {
        List<Decision> published = recorded.decisions().stream()
                .filter(decision -> !decision.facts().isEmpty())
                .toList();
        assertThat(compare(published)).isEqualTo(new ReplayAudit.Report(published.size(), java.util.Optional.empty()));
    }

    @Test
    void aDecisionThatWasNotMadeThenIsADifference() {
        int dropped = firstWith(Fact.PlanIssued.class);
        var without = new ArrayList<>(recorded.decisions());
        Decision removed = without.remove(dropped);
        assertThat(compare(without).divergence().orElseThrow().offset()).isEqualTo(removed.offset());
    }

    @Test
    void aMissingEntryIsNamed() {
        var short1 = recorded.journal().subList(0, 4);
        var report = audit.compare(ClusterState.empty(RecordedPool.POOL), short1, recorded.decisions());
        assertThat(report.compared()).isEqualTo(5);
        assertThat(report.divergence().orElseThrow().differences())
                .containsExactly("the journal ends before this decision");
    }
}
