package io.myolotrain.topics;

import java.util.List;
import java.util.stream.Collectors;

/** Records that were asked for are not in the log any more. */
public final class HistoryGone extends RuntimeException {
    private final transient List<TopicListener.Gap> gaps;

    HistoryGone(TopicListener.Gap gap) {
        this(List.of(gap), "decide whether to go on without them");
    }

    HistoryGone(List<TopicListener.Gap> gaps, String nextStep) {
        super(gaps.stream().map(TopicListener.Gap::toString).collect(Collectors.joining(", ")) + "; " + nextStep);
        this.gaps = List.copyOf(gaps);
    }

    /** The first of them. */
    public TopicListener.Gap gap() {
        return gaps.get(0);
    }
}
