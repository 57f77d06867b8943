package io.myolotrain.core.coordination;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.JobSpec;
import io.myolotrain.core.model.Plan;
import io.myolotrain.core.model.Refusal;
import io.myolotrain.core.model.TrainingConfig;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the coordinator decided. Facts are the only way to change {@link ClusterState}, live or replayed. */
public sealed interface Fact {

    record Refused(String subject, List<Refusal> refusals) implements Fact {
        public Refused {
            refusals = List.copyOf(refusals);
        }

        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.refused(this);
        }
    }

    record JobAccepted(JobSpec spec) implements Fact {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.jobAccepted(this);
        }
    }

    /** @param changes the accepted changes as asked */
    record ConfigAccepted(JobId job, SortedMap<String, String> changes, TrainingConfig config) implements Fact {
        public ConfigAccepted {
            changes = Collections.unmodifiableSortedMap(new TreeMap<>(changes));
        }

        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.configAccepted(this);
        }
    }

    record WorkerAdmitted(WorkerInfo worker) implements Fact {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.workerAdmitted(this);
        }
    }

    record WorkerDrainStarted(WorkerRef worker, String reason) implements Fact {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.workerDrainStarted(this);
        }
    }

    /**
     * A life of the worker is over: this incarnation does not come back.
     *
     * @param deaths unasked ends of this worker id in a row, this one included if it is one
     * @param atMs journal's clock, Unix milliseconds
     */
    record WorkerRemoved(WorkerRef worker, String reason, int deaths, long atMs) implements Fact {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.workerRemoved(this);
        }
    }

    /** The worker is in the pool, and in no plan before {@code untilMs} unless a job could not run otherwise. */
    record WorkerHeldBack(WorkerRef worker, long untilMs, String reason) implements Fact {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.workerHeldBack(this);
        }
    }

    /**
     * Suspected by so few that they are asked first: whoever reports nothing by {@code untilMs} is removed.
     *
     * @param heard members of the generation that have reported, so far
     * @param suspects none of those; empty when the suspicion is over
     */
    record WorkersSuspected(
            JobId job,
            Generation generation,
            List<WorkerRef> heard,
            List<WorkerRef> suspects,
            long untilMs,
            String reason)
            implements Fact {
        public WorkersSuspected {
            heard = List.copyOf(heard);
            suspects = List.copyOf(suspects);
        }

        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.workersSuspected(this);
        }
    }

    /**
     * @param movedBytes optimizer bytes that change their owner against the plan in force; 0 when none is in force
     * @param lowerBoundBytes the least number of shards that any balanced placement could move for this change, at this
     *     placement's mean bytes per moved shard
     */
    record PlanIssued(Plan plan, long movedBytes, long lowerBoundBytes) implements Fact {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.planIssued(this);
        }
    }

    /**
     * The plan cannot be reached any more (a member died or could not prepare); the one in force stays in force. Also ends
     * the plan in force when none of its members is left.
     */
    record PlanWithdrawn(JobId job, Generation generation, String reason) implements Fact {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.planWithdrawn(this);
        }
    }

    /** Something was broken on purpose; see {@link Event.FaultInjected}. Changes nothing. */
    record FaultNoted(String fault, List<String> targets, String detail) implements Fact {
        public FaultNoted {
            targets = List.copyOf(targets);
        }

        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.faultNoted(this);
        }
    }

    /** The worker could not prepare a plan of this job, so it is not planned in again until the job's next accepted change. */
    record WorkerExcluded(JobId job, WorkerRef worker, String reason) implements Fact {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.workerExcluded(this);
        }
    }

    /** The ranks of this generation have lost their communicator; only a newer plan brings them together again. */
    record GenerationBroken(JobId job, Generation generation, String reason) implements Fact {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.generationBroken(this);
        }
    }

    record PlanActivated(JobId job, Generation generation, long firstStep, long stallMicros, long movedBytes)
            implements Fact {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.planActivated(this);
        }
    }

    record ProgressRecorded(JobId job, Generation generation, long step, long samples, double loss) implements Fact {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.progressRecorded(this);
        }
    }

    record CheckpointRecorded(JobId job, long step, String directory, long bytes) implements Fact {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.checkpointRecorded(this);
        }
    }

    record PhaseChanged(JobId job, JobPhase from, JobPhase to, String reason) implements Fact {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.phaseChanged(this);
        }
    }

    /** An event of a past that no longer counts: older generation, older incarnation, unknown worker. */
    record StaleIgnored(String subject, String reason) implements Fact {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.staleIgnored(this);
        }
    }

    /** The coordinator wants a {@link Event.TimerFired} with this name when the journal's clock passes {@code dueMs}. */
    record TimerSet(String timer, long dueMs) implements Fact {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.timerSet(this);
        }
    }

    record TimerCleared(String timer) implements Fact {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.timerCleared(this);
        }
    }

    <R> R fold(Cases<R> cases);

    /** One case per fact: a new fact does not compile until every reader handles it. */
    interface Cases<R> {
        R refused(Refused fact);

        R jobAccepted(JobAccepted fact);

        R configAccepted(ConfigAccepted fact);

        R workerAdmitted(WorkerAdmitted fact);

        R workerDrainStarted(WorkerDrainStarted fact);

        R workerRemoved(WorkerRemoved fact);

        R workerHeldBack(WorkerHeldBack fact);

        R workersSuspected(WorkersSuspected fact);

        R planIssued(PlanIssued fact);

        R planWithdrawn(PlanWithdrawn fact);

        R workerExcluded(WorkerExcluded fact);

        R faultNoted(FaultNoted fact);

        R generationBroken(GenerationBroken fact);

        R planActivated(PlanActivated fact);

        R progressRecorded(ProgressRecorded fact);

        R checkpointRecorded(CheckpointRecorded fact);

        R phaseChanged(PhaseChanged fact);

        R staleIgnored(StaleIgnored fact);

        R timerSet(TimerSet fact);

        R timerCleared(TimerCleared fact);
    }
}
