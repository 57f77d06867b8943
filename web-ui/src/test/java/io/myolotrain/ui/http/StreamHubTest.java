package io.myolotrain.ui.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.myolotrain.ui.live.StreamMessage;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StreamHubTest {
    private final StreamHub hub = new StreamHub("life1");

    @Test
    void framesAreNumberedAndKeptForAResume() {
        publish(3);
        assertThat(hub.position()).isEqualTo("life1-3");
        assertThat(hub.resumeAfter("life1-1")).isEqualTo(1);
        assertThat(hub.frame(2).bytes().toString()).isEqualTo("id: life1-2\nevent: health\ndata: {\"n\":2}\n\n");
    }

    @Test
    void aPageWithoutAPlaceStartsAtTheEnd() {
        publish(3);
        assertThat(hub.resumeAfter(null)).isEqualTo(3);
        assertThat(hub.resumeAfter("")).isEqualTo(3);
    }

    @Test
    void aPlaceOfAnotherServerOrOfTheFutureOrThatIsNoneIsNotResumed() {
        publish(3);
        for (String place : List.of("life0-2", "life1-9", "life1-x", "2", "-", "life1-")) {
            assertThat(hub.resumeAfter(place)).as(place).isEqualTo(-1);
        }
    }

    @Test
    void theBufferIsBoundedAndAForgottenPlaceIsNotResumed() {
        publish(StreamHub.FRAMES_MAX + 10);
        assertThat(hub.frame(10)).isNull();
        assertThat(hub.frame(11)).isNotNull();
        assertThat(hub.resumeAfter("life1-9")).isEqualTo(-1);
        assertThat(hub.resumeAfter("life1-10")).isEqualTo(10);
    }

    @Test
    void bigFramesAreBoundedByTheirBytes() {
        String big = "x".repeat(1 << 20);
        for (int i = 0; i < 40; i++) {
            hub.publish(List.of(new StreamMessage("health", null, Map.of("big", big))));
        }
        assertThat(hub.frame(40)).isNotNull();
        assertThat(hub.frame(20)).isNull();
    }

    private void publish(int count) {
        for (int n = 1; n <= count; n++) {
            hub.publish(List.of(new StreamMessage("health", null, Map.of("n", n))));
        }
    }
}
