package io.myolotrain.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("G14 An upgrade that would lose state is told before it happens")
class TopologyUpgradeTest {
    private final String running = TopologyUpgrade.thisRelease();

    @Test
    void theSameTopologyAndANewNodeOrStoreMayTakeOver() {
        assertThat(TopologyUpgrade.problems(running, running)).isEmpty();
        String more = running.replace("(stores: [watches])", "(stores: [watches, new-store])");
        assertThat(TopologyUpgrade.problems(running, more)).isEmpty();
        assertThat(TopologyUpgrade.problems(more, running))
                .as("rolled back")
                .singleElement()
                .asString()
                .contains("store=new-store");
    }

    @Test
    void aRenamedStoreStartsEmpty() {
        assertThat(TopologyUpgrade.problems(running, running.replace("[folds]", "[states]")))
                .singleElement()
                .asString()
                .contains("store=folds", "application id of its own");
    }

    @Test
    void aGeneratedNameIsNamed() {
        assertThat(TopologyUpgrade.problems(
                        running, running.replace("[folds]", "[KSTREAM-AGGREGATE-STATE-STORE-0000000003]")))
                .hasSize(2)
                .first()
                .asString()
                .contains("KSTREAM-AGGREGATE-STATE-STORE-0000000003");
    }

    @Test
    void subTopologiesThatChangeTheirNumbersOrTopicsAreToldEach() {
        String swapped = running.replace("Sub-topology: 0", "Sub-topology: 2")
                .replace("Sub-topology: 1", "Sub-topology: 0")
                .replace("Sub-topology: 2", "Sub-topology: 1");
        assertThat(TopologyUpgrade.problems(running, swapped))
                .hasSize(5)
                .anyMatch(problem -> problem.contains("store=folds before=1 after=0"))
                .anyMatch(problem -> problem.contains("sub-topology=1 before=[journal]"));
        assertThat(TopologyUpgrade.problems(running, running.replace("(topics: [journal])", "(topics: [journal-2])")))
                .singleElement()
                .asString()
                .contains("before=[journal] after=[journal-2]");
    }
}
