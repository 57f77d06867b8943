package io.myolotrain.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TableTest {
    @Test
    void columnsAreAsWideAsTheirWidestCellAndNumbersStandToTheRight() {
        String table = new Table("JOB", "STEP", "PHASE")
                .row("demo", 7, "RUNNING")
                .row("a-longer-name", 1200, "-")
                .toString();
        assertThat(table)
                .isEqualTo(
                        "JOB            STEP  PHASE\n" + "demo              7  RUNNING\n" + "a-longer-name  1200  -\n");
    }

    @Test
    void aRowMustFillTheTable() {
        assertThatThrownBy(() -> new Table("A", "B").row("one")).hasMessageContaining("cells=1 columns=2");
    }
}
