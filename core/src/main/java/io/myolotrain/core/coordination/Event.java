package io.myolotrain.core.coordination;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.MicroBatchRange;
import io.myolotrain.core.model.Rank;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Something that was asked, or that happened. Events are what the journal holds; the coordinator knows nothing else. */
public sealed interface Event {

    /** A person or a program submits a job. */
    record JobSubmitted(JobSpec spec, String requestedBy) implements Event {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.jobSubmitted(this);
        }
    }

    /** Asks for new values, by configuration key (see ConfigKey); values as typed, so that a refusal can quote them. */
    record ConfigChangeRequested(JobId job, SortedMap<String, String> changes, String requestedBy) implements Event {
        public ConfigChangeRequested {
            changes = Collections.unmodifiableSortedMap(new TreeMap<>(changes));
        }

        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.configChangeRequested(this);
        }
    }

    record WorkerJoined(WorkerInfo worker) implements Event {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.workerJoined(this);
        }
    }

    /** The worker asks to be planned out; it goes on until it is no longer needed. */
    record WorkerDraining(WorkerRef worker, String reason) implements Event {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.workerDraining(this);
        }
    }

    /**
     * Somebody broke something on purpose, so that what follows can be read beside it. Decides nothing.
     *
     * @param fault what was done: kill, hang, resume, stop, loss, delay …
     * @param targets what it was done to: worker ids, or a part of the system
     * @param detail for people: seed, share, duration
     */
    record FaultInjected(String fault, List<String> targets, String detail) implements Event {
        public FaultInjected {
            targets = List.copyOf(targets);
        }

        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.faultInjected(this);
        }
    }

    /** The worker is gone by its own word. */
    record WorkerLeft(WorkerRef worker, String reason) implements Event {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.workerLeft(this);
        }
    }

    /**
     * The sequencer has not heard of the workers for its deadline. Those who fall silent together are lost together: one
     * change of the membership, however many they are.
     *
     * @param silentMs of the worker, the longest silence among them
     * @param others found silent at the same moment
     */
    record WorkerLost(WorkerRef worker, long silentMs, List<WorkerRef> others) implements Event {
        public WorkerLost {
            others = List.copyOf(others);
        }

        public WorkerLost(WorkerRef worker, long silentMs) {
            this(worker, silentMs, List.of());
        }

        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.workerLost(this);
        }
    }

    /**
     * One rank's part of a committed step.
     *
     * @param samplePosition job-wide index of the first sample of this rank's block
     * @param samplesCrc CRC-32C over the rank's sample ids in order, each as 8 bytes big-endian
     * @param loss mean over the global batch; equal on all ranks
     * @param stepMicros wall time of the step on this rank
     */
    record StepCompleted(
            JobId job,
            String attempt,
            Generation generation,
            long step,
            Rank rank,
            WorkerRef worker,
            MicroBatchRange microBatches,
            long samplePosition,
            int sampleCount,
            long samplesCrc,
            double loss,
            double gradientNorm,
            double learningRate,
            long stepMicros)
            implements Event {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.stepCompleted(this);
        }
    }

    /**
     * A member runs under this plan: its first step of the generation is {@code firstStep}. The first report puts the plan
     * in force; a plan that stops the job is in force when rank 0 says so, after its last {@link CheckpointWritten}.
     */
    record PlanApplied(
            JobId job,
            String attempt,
            Generation generation,
            WorkerRef worker,
            long firstStep,
            long stallMicros,
            long movedBytes)
            implements Event {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.planApplied(this);
        }
    }

    /**
     * A worker that the plan involves cannot prepare it; the old world trains on.
     *
     * @param worker whose fault it is
     * @param gone workers of the plan whose processes are known to be dead: not the plan has failed, but they
     */
    record PlanFailed(
            JobId job, String attempt, Generation generation, WorkerRef worker, String reason, List<WorkerRef> gone)
            implements Event {
        public PlanFailed {
            gone = List.copyOf(gone);
        }

        public PlanFailed(JobId job, String attempt, Generation generation, WorkerRef worker, String reason) {
            this(job, attempt, generation, worker, reason, List.of());
        }

        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.planFailed(this);
        }
    }

    /**
     * A collective broke. The reporter has left it and waits for a plan.
     *
     * @param committedStep last step that the reporter committed
     * @param suspects members whose liveness connection closed or that did not arrive, as seen by the reporter
     */
    record CollectiveFailed(
            JobId job,
            String attempt,
            Generation generation,
            WorkerRef worker,
            long committedStep,
            List<WorkerRef> suspects,
            String reason)
            implements Event {
        public CollectiveFailed {
            suspects = List.copyOf(suspects);
        }

        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.collectiveFailed(this);
        }
    }

    record CheckpointWritten(JobId job, String attempt, Generation generation, long step, String directory, long bytes)
            implements Event {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.checkpointWritten(this);
        }
    }

    /** A deadline that the coordinator asked for has passed. */
    record TimerFired(String timer, long atMs) implements Event {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.timerFired(this);
        }
    }

    <R> R fold(Cases<R> cases);

    /** One case per event: a new event does not compile until every reader handles it. */
    interface Cases<R> {
        R jobSubmitted(JobSubmitted event);

        R configChangeRequested(ConfigChangeRequested event);

        R workerJoined(WorkerJoined event);

        R workerDraining(WorkerDraining event);

        R workerLeft(WorkerLeft event);

        R workerLost(WorkerLost event);

        R stepCompleted(StepCompleted event);

        R planApplied(PlanApplied event);

        R planFailed(PlanFailed event);

        R collectiveFailed(CollectiveFailed event);

        R checkpointWritten(CheckpointWritten event);

        R timerFired(TimerFired event);

        R faultInjected(FaultInjected event);
    }
}
