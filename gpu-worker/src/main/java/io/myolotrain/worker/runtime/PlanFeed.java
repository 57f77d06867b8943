package io.myolotrain.worker.runtime;

import io.myolotrain.core.coordination.Decision;
import io.myolotrain.core.coordination.Fact;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.topics.Codecs;
import io.myolotrain.topics.Connection;
import io.myolotrain.topics.ReadFrom;
import io.myolotrain.topics.TopicListener;
import io.myolotrain.topics.TopicReader;
import io.myolotrain.topics.Topics;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the coordinator says to this worker: plans of its pool, and that the pool has given it up. Plans are read from the
 * oldest kept, so that a fresh worker also learns which jobs it may be asked to join; what is old is stale by generation.
 */
final class PlanFeed implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PlanFeed.class);

    private final TopicReader<Plan> plans;
    private final TopicReader<Decision> decisions;

    private PlanFeed(TopicReader<Plan> plans, TopicReader<Decision> decisions) {
        this.plans = plans;
        this.decisions = decisions;
    }

    static PlanFeed open(
            Connection connection,
            Codecs codecs,
            PoolId pool,
            PlanMailbox mailbox,
            WorkerIdentity identity,
            Runnable onRemoved) {
        TopicListener<Plan> deliver = received -> {
            if (received.key().equals(pool.value())) {
                mailbox.offer(received.value(), identity.ref());
            }
        };
        TopicListener<Decision> watch = received -> {
            if (received.key().equals(pool.value()) && removes(received.value(), identity)) {
                log.atWarn().addKeyValue("worker", identity.ref()).log("removed from the pool by the coordinator");
                onRemoved.run();
            }
        };
        return new PlanFeed(
                TopicReader.open(connection, codecs, Topics.REBALANCE_PLANS, ReadFrom.beginning(), deliver),
                TopicReader.open(connection, codecs, Topics.DECISIONS, ReadFrom.end(), watch));
    }

    private static boolean removes(Decision decision, WorkerIdentity identity) {
        return decision.facts().stream()
                .anyMatch(fact -> fact instanceof Fact.WorkerRemoved removed
                        && removed.worker().equals(identity.ref()));
    }

    /** Waits until nothing that is said from now on can be missed. */
    void awaitReady(Duration atMost) throws Exception {
        plans.caughtUp().get(atMost.toMillis(), TimeUnit.MILLISECONDS);
        decisions.caughtUp().get(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        plans.close();
        decisions.close();
    }
}
