package io.myolotrain.ui.port;

import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.sampling.SamplingRequest;
import java.util.concurrent.CompletionStage;

/** The way in for what a person asks for. */
public interface ChangePublisher extends AutoCloseable {

    /**
     * Writes the request; completes when the log holds it, fails when the log could not be reached in time. Never blocks.
     *
     * @param eventId the sequencer lets each id pass once
     */
    CompletionStage<Void> publish(PoolId pool, String eventId, Event.ConfigChangeRequested request);

    /** The same for what a person asks of readings. */
    CompletionStage<Void> ask(PoolId pool, String eventId, SamplingRequest request);

    @Override
    void close();
}
