package io.myolotrain.topics;

/** Records that were asked for are not in the log any more. */
public final class HistoryGone extends RuntimeException {
    private final transient TopicListener.Gap gap;

    HistoryGone(TopicListener.Gap gap) {
        super(gap + "; decide whether to go on without them");
        this.gap = gap;
    }

    public TopicListener.Gap gap() {
        return gap;
    }
}
