package io.myolotrain.worker.comm;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BurstTest {
    private static final Duration LOOK = Duration.ofMillis(1);

    @Test
    void whoDiesSoonAfterTheFirstIsNamedWithIt() {
        var looks = new int[1];
        List<Integer> dead = Burst.over(() -> looks[0]++ == 0 ? List.of(3) : List.of(1, 3), LOOK);
        assertThat(dead).containsExactly(1, 3);
    }

    @Test
    void nobodyIsWaitedForWhenNobodyIsDead() {
        Iterator<List<Integer>> once = List.of(List.<Integer>of()).iterator();
        assertThat(Burst.over(once::next, LOOK)).isEmpty(); // a second look would throw
    }

    /** A group that dies for ever, one after the other, does not keep its survivors waiting. */
    @Test
    void dyingWithoutEndIsCutShort() {
        var looks = new int[1];
        List<Integer> dead =
                Burst.over(() -> IntStream.range(0, ++looks[0]).boxed().toList(), LOOK);
        assertThat(dead).hasSizeGreaterThan(1).hasSize(looks[0]);
    }
}
