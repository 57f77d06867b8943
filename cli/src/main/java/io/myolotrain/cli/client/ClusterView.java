package io.myolotrain.cli.client;

import io.myolotrain.cli.CommandFailure;
import io.myolotrain.core.coordination.ClusterState;
import io.myolotrain.core.coordination.Decision;
import io.myolotrain.topics.ReadFrom;
import io.myolotrain.topics.TopicListener;
import io.myolotrain.topics.TopicReader;
import io.myolotrain.topics.Topics;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** A pool as its decisions tell it: the same fold as the coordinator's, kept up to date while it is open. */
public final class ClusterView implements AutoCloseable {
    private static final Duration CATCH_UP_TIMEOUT = Duration.ofSeconds(60);

    private final TopicReader<Decision> reader;
    private final Follower follower;

    private ClusterView(TopicReader<Decision> reader, Follower follower) {
        this.reader = reader;
        this.follower = follower;
    }

    private static final class Follower implements TopicListener<Decision> {
        private final String poolKey;
        private final Consumer<Decision> next;
        private volatile ClusterState state;

        Follower(Session session, Consumer<Decision> next) {
            this.poolKey = session.pool().value();
            this.state = ClusterState.empty(session.pool());
            this.next = next;
        }

        @Override
        public void onRecord(Received<Decision> record) {
            if (record.key().equals(poolKey)) {
                state = state.apply(record.value());
                next.accept(record.value());
            }
        }
    }

    /** Returns when everything decided so far is folded. */
    public static ClusterView open(Session session) {
        return open(session, decision -> {});
    }

    /** @param next takes each decision after it is folded, old ones too; called on the reader's thread */
    public static ClusterView open(Session session, Consumer<Decision> next) {
        Follower follower = new Follower(session, next);
        var reader = TopicReader.open(
                session.connection(), session.codecs(), Topics.DECISIONS, ReadFrom.completeHistory(), follower);
        var view = new ClusterView(reader, follower);
        try {
            view.awaitCaughtUp();
            return view;
        } catch (RuntimeException e) {
            view.close();
            throw e;
        }
    }

    private void awaitCaughtUp() {
        try {
            reader.caughtUp().get(CATCH_UP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw CommandFailure.unreachable(
                    "the decisions could not be read within " + CATCH_UP_TIMEOUT.toSeconds() + " s",
                    "Check that the broker runs and that its topics exist ('myolotrain demo' creates them).",
                    e);
        } catch (ExecutionException | CancellationException e) {
            throw CommandFailure.unreachable(
                    "the decisions could not be read: " + e.getMessage(),
                    "Run the command with --verbose to see why.",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while reading decisions", e);
        }
    }

    public ClusterState state() {
        return follower.state;
    }

    @Override
    public void close() {
        reader.close();
    }
}
