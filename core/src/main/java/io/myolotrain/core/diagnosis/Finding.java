package io.myolotrain.core.diagnosis;

/**
 * One thing that a diagnosis found.
 *
 * @param worker its id, empty when the finding is about the job
 * @param rank in the plan in force, -1 when it has none
 * @param what for people: names rank, worker, collective and sequence number where there are any
 * @param advice what to do next; empty when nothing is to be done
 */
public record Finding(Severity severity, String worker, int rank, String what, String advice) {
    /** In the order in which they are shown. */
    public enum Severity {
        /** The job stands still because of this. */
        CAUSE,
        /** It follows from the cause, or may become one. */
        NOTE,
        /** As it should be. */
        FINE
    }

    static Finding aboutJob(Severity severity, String what, String advice) {
        return new Finding(severity, "", -1, what, advice);
    }
}
