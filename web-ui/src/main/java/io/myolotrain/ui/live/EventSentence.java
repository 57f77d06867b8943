package io.myolotrain.ui.live;

import io.myolotrain.core.coordination.Event;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Tells what a journal entry asks or reports. */
record EventSentence(
        String kind, @Nullable String job, @Nullable String worker, String text, String reason) {

    static EventSentence of(Event event) {
        return event.fold(new Cases());
    }

    private static final class Cases implements Event.Cases<EventSentence> {
        @Override
        public EventSentence jobSubmitted(Event.JobSubmitted e) {
            return of(
                    "job submitted",
                    e.spec().job().value(),
                    null,
                    "Job " + e.spec().job() + " submitted by " + e.requestedBy());
        }

        @Override
        public EventSentence configChangeRequested(Event.ConfigChangeRequested e) {
            String settings = e.changes().entrySet().stream()
                    .map(c -> c.getKey() + "=" + c.getValue())
                    .collect(Collectors.joining(" "));
            return of("change asked", e.job().value(), null, settings + " asked by " + e.requestedBy());
        }

        @Override
        public EventSentence workerJoined(Event.WorkerJoined e) {
            return of(
                    "worker joined",
                    null,
                    e.worker().ref().toString(),
                    "Worker " + e.worker().ref() + " joined from " + e.worker().host());
        }

        @Override
        public EventSentence workerDraining(Event.WorkerDraining e) {
            return new EventSentence(
                    "worker draining",
                    null,
                    e.worker().toString(),
                    "Worker " + e.worker() + " asks to be planned out",
                    e.reason());
        }

        @Override
        public EventSentence workerLeft(Event.WorkerLeft e) {
            return new EventSentence(
                    "worker left", null, e.worker().toString(), "Worker " + e.worker() + " said goodbye", e.reason());
        }

        @Override
        public EventSentence workerLost(Event.WorkerLost e) {
            return new EventSentence(
                    "worker lost",
                    null,
                    e.worker().toString(),
                    "Worker " + e.worker() + " is lost",
                    "not heard of for " + e.silentMs() + " ms");
        }

        @Override
        public EventSentence stepCompleted(Event.StepCompleted e) {
            return of(
                    "step",
                    e.job().value(),
                    e.worker().toString(),
                    String.format(
                            Locale.ROOT,
                            "Rank %s completed step %,d of generation %s, loss %s, %.1f ms",
                            e.rank(),
                            e.step(),
                            e.generation(),
                            shortened(e.loss()),
                            e.stepMicros() / 1e3));
        }

        @Override
        public EventSentence planApplied(Event.PlanApplied e) {
            return of(
                    "plan applied",
                    e.job().value(),
                    e.worker().toString(),
                    "Generation " + e.generation() + " runs on " + e.worker() + " from step " + e.firstStep());
        }

        @Override
        public EventSentence planFailed(Event.PlanFailed e) {
            return new EventSentence(
                    "plan failed",
                    e.job().value(),
                    e.worker().toString(),
                    e.worker() + " cannot prepare generation " + e.generation(),
                    e.reason());
        }

        @Override
        public EventSentence collectiveFailed(Event.CollectiveFailed e) {
            return new EventSentence(
                    "collective failed",
                    e.job().value(),
                    e.worker().toString(),
                    e.worker() + " lost its communicator of generation " + e.generation() + " after step "
                            + e.committedStep(),
                    e.reason());
        }

        @Override
        public EventSentence checkpointWritten(Event.CheckpointWritten e) {
            return of(
                    "checkpoint",
                    e.job().value(),
                    null,
                    "Checkpoint of step " + e.step() + " written, " + e.bytes() + " bytes, " + e.directory());
        }

        @Override
        public EventSentence faultInjected(Event.FaultInjected e) {
            return new EventSentence(
                    "fault injected",
                    null,
                    null,
                    "Fault injected: " + e.fault() + " " + String.join(", ", e.targets()),
                    e.detail());
        }

        @Override
        public EventSentence timerFired(Event.TimerFired e) {
            return of("timer", null, null, "Timer " + e.timer() + " fired");
        }

        private static EventSentence of(String kind, @Nullable String job, @Nullable String worker, String text) {
            return new EventSentence(kind, job, worker, text, "");
        }

        private static String shortened(double value) {
            return Double.isFinite(value) ? String.format(Locale.ROOT, "%.4g", value) : Double.toString(value);
        }
    }
}
