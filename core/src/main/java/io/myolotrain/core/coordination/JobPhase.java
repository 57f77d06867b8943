package io.myolotrain.core.coordination;

/**
 * Where a job stands.
 *
 * <pre>
 *  WAITING ──plan issued──> STARTING ──applied──> RUNNING ⇄ PAUSED
 *     ^                        │                    │  │
 *     └── too few workers ─────┴────────────────────┘  ├──> STOPPED    (asked)
 *                                                      └──> COMPLETED  (maxSteps committed)
 * </pre>
 */
public enum JobPhase {
    WAITING,
    STARTING,
    RUNNING,
    PAUSED,
    STOPPED,
    COMPLETED
}
