package io.myolotrain.ui.topics;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.ui.port.ClusterFeed.Item;
import io.myolotrain.ui.port.ClusterFeed.Rejected;
import io.myolotrain.ui.port.ClusterFeed.Run;
import io.myolotrain.ui.port.ClusterFeed.RunClosed;
import io.myolotrain.ui.port.ClusterFeed.RunReading;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunGateTest {
    private static final Run RUN = new Run(new JobId("gpt"), "a1");
    private static final RunGate.Source SERIES_0 = new RunGate.Source("metric-series", 0);
    private static final RunGate.Source SERIES_1 = new RunGate.Source("metric-series", 1);
    private static final Item COMPLETE = new RunReading(RUN, 9, true, "");

    private final List<Item> told = new ArrayList<>();
    private final RunGate gate = new RunGate(new PoolId("default"), told::add);

    /** Any item that can be told from others. */
    private static Item record(RunGate.Source source, long offset) {
        return new Rejected(source.topic(), source.partition(), offset, 0, "");
    }

    private void live(RunGate.Source source, long offset) {
        gate.live(source, offset, RUN, record(source, offset));
    }

    private boolean past(RunGate.Source source, long offset) {
        return gate.past(source, offset, RUN, record(source, offset));
    }

    @Test
    void whatNobodyHasOpenedDoesNotPass() {
        live(SERIES_0, 1);
        assertThat(gate.wants("default/gpt/train.loss")).isFalse();
        assertThat(past(SERIES_0, 1)).isFalse();
        assertThat(told).isEmpty();
    }

    @Test
    void keysOfOpenRunsAreWantedAndNoOthers() {
        gate.open(RUN);
        assertThat(gate.wants("default/gpt/train.loss")).isTrue();
        assertThat(gate.wants("default/gpt2/train.loss")).isFalse();
        assertThat(gate.wants("other/gpt/train.loss")).isFalse();
    }

    @Test
    void eachRecordPassesOnceThePastBeforeTheNew() {
        assertThat(gate.open(RUN)).isTrue();
        live(SERIES_0, 11); // both readers come to it
        live(SERIES_0, 12);
        live(SERIES_1, 3); // the past has nothing of this partition
        past(SERIES_0, 10);
        past(SERIES_0, 11);
        assertThat(gate.pastIsTold(RUN, COMPLETE)).isTrue();
        live(SERIES_0, 13);
        assertThat(told)
                .containsExactly(
                        record(SERIES_0, 10),
                        record(SERIES_0, 11),
                        COMPLETE,
                        record(SERIES_0, 12),
                        record(SERIES_1, 3),
                        record(SERIES_0, 13));
        assertThat(gate.open(RUN)).as("its past is told already").isFalse();
    }

    @Test
    void aPastDuringWhichTooMuchIsNewIsReadAgain() {
        gate.open(RUN);
        for (int offset = 0; offset <= RunGate.WAITING_MAX; offset++) {
            live(SERIES_0, offset);
        }
        assertThat(gate.pastIsTold(RUN, COMPLETE)).isFalse();
        assertThat(told).containsExactly(new RunClosed(RUN));
        assertThat(gate.open(RUN)).isTrue();
    }

    @Test
    void theRunOpenedLongestAgoGivesWay() {
        gate.open(RUN);
        for (int i = 1; i < RunGate.RUNS_MAX; i++) {
            gate.open(new Run(new JobId("j" + i), "a1"));
        }
        gate.open(RUN); // somebody looks at it again
        gate.open(new Run(new JobId("one-more"), "a1"));
        assertThat(told).containsExactly(new RunClosed(new Run(new JobId("j1"), "a1")));
        assertThat(gate.wants("default/j1/x")).isFalse();
        assertThat(gate.wants("default/gpt/x")).isTrue();
    }

    @Test
    void aRunThatIsClosedWhileItsPastIsReadTellsNoMore() {
        gate.open(RUN);
        gate.close(RUN);
        assertThat(past(SERIES_0, 1)).isFalse();
        assertThat(gate.pastIsTold(RUN, COMPLETE)).isTrue();
        assertThat(told).containsExactly(new RunClosed(RUN));
    }
}
