package io.myolotrain.ui.topics;

import io.myolotrain.core.coordination.Decision;
import io.myolotrain.topics.Codecs;
import io.myolotrain.topics.Connection;
import io.myolotrain.topics.ReadFrom;
import io.myolotrain.topics.TopicListener;
import io.myolotrain.topics.TopicReader;
import io.myolotrain.topics.Topics;
import io.myolotrain.ui.port.ClusterFeed.Reached;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Whether the log is the one that was read before: a topic that was created anew has offsets like the old one's, but not the
 * decision that was read last at its place.
 */
final class ResumeCheck {
    private final Connection connection;
    private final Codecs codecs;

    ResumeCheck(Connection connection, Codecs codecs) {
        this.connection = connection;
        this.codecs = codecs;
    }

    /** Waits for as long as the broker does not answer. */
    boolean stillHolds(Reached reached) throws InterruptedException {
        int partition = reached.last().partition();
        var offsets = new TreeMap<>(reached.nextOffsets());
        offsets.put(partition, reached.last().offset());
        var answer = new CompletableFuture<Boolean>();
        TopicListener<Decision> listener = new TopicListener<>() {
            @Override
            public boolean wants(int from, long atMs, String key) {
                return from == partition && !answer.isDone();
            }

            @Override
            public void onRecord(Received<Decision> first) {
                answer.complete(first.offset() == reached.last().offset() && reached.isAt(first.value()));
            }

            @Override
            public void onUndecodable(Undecodable record) {
                answer.complete(false);
            }

            @Override
            public AtGap onGap(Gap gap) {
                if (gap.partition() == partition) {
                    answer.complete(false);
                }
                return AtGap.SKIP;
            }

            @Override
            public void onStopped(Exception cause) {
                answer.complete(false);
            }
        };
        try (var reader = TopicReader.open(connection, codecs, Topics.DECISIONS, ReadFrom.offsets(offsets), listener)) {
            // What is not there although all that was written is read is no answer of the broker's, but of the log.
            var unused = reader.caughtUp().thenRun(() -> answer.complete(false));
            return answer.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the answer is always given", e);
        }
    }
}
