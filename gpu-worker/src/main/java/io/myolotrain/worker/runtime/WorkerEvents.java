package io.myolotrain.worker.runtime;

import io.myolotrain.core.coordination.Event;
import io.myolotrain.core.sampling.Reading;

/** Where a worker's news go. Calls return at once; delivery is the implementation's, in order per kind. */
interface WorkerEvents {
    void report(Event event);

    void reading(Reading reading);

    /** Blocks until everything reported so far is acknowledged, or the bound passes. */
    void flush();
}
