package io.myolotrain.core.simulation;

/**
 * What goes wrong in a simulated pool. Delays, reordering, repeats, joins, drains and changes of the configuration are
 * everyday life and belong to every weather.
 *
 * @param oneAtATime a worker dies only when the plan after the last death is in force: then no shard is ever lost
 * @param slander survivors may suspect workers that are well
 * @param hangs processes stop and wake again, some of them long after they were given up
 * @param partitions workers lose each other, or the log, or both
 * @param lossPermille reports that never arrive, of a thousand
 * @param coordinatorRests the coordinator is down for a while, or starts again from its facts
 * @param outsiders somebody writes nonsense into the topics
 */
record Weather(
        String name,
        boolean oneAtATime,
        boolean slander,
        boolean hangs,
        boolean partitions,
        int lossPermille,
        boolean coordinatorRests,
        boolean outsiders) {

    static final Weather DRIZZLE = new Weather("drizzle", true, false, false, false, 0, true, false);
    static final Weather RAIN = new Weather("rain", false, false, false, false, 0, true, true);
    static final Weather SLANDER = new Weather("slander", false, true, false, false, 20, false, true);
    static final Weather FOG = new Weather("fog", false, false, true, true, 0, false, false);
    static final Weather STORM = new Weather("storm", false, true, true, true, 100, true, true);
}
