package io.myolotrain.cli.bench;

/**
 * Lets two trainings take their steps in turn, a second or so each: what the machine's neighbours do lasts longer and so meets
 * both. Each calls {@link #stepped} on its training thread after each of its steps, and waits there while it is the other's
 * turn. What a training has left to other threads at the end of its turn falls into the other's.
 */
final class TakingTurns {
    private final int turnSteps;
    private final double[][] millis;
    private final int[] done = {0, 0};
    private final long[] beganNanos = {0, 0};
    private int turn;

    /** @param steps of each side; a multiple of those in a turn */
    TakingTurns(int turnSteps, int steps) {
        this.turnSteps = turnSteps;
        this.millis = new double[2][steps];
    }

    /** The first step of a side is where it joins, and is not measured. */
    synchronized void stepped(int side) {
        long now = System.nanoTime();
        if (beganNanos[side] != 0 && done[side] < millis[side].length) {
            millis[side][done[side]] = (now - beganNanos[side]) / 1e6;
            done[side]++;
        }
        if (done[side] % turnSteps == 0) {
            turn = 1 - side;
            notifyAll();
            awaitTurn(side);
        }
        beganNanos[side] = System.nanoTime();
    }

    private void awaitTurn(int side) {
        try {
            while (turn != side && !isOver()) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the training is about to stop
        }
    }

    private boolean isOver() {
        return done[0] == millis[0].length && done[1] == millis[1].length;
    }

    synchronized int done(int side) {
        return done[side];
    }

    /** @return milliseconds of each step, of one side; once it has taken all of them */
    synchronized double[] millisOf(int side) {
        if (done[side] < millis[side].length) {
            throw new IllegalStateException(
                    "all steps must be measured: done=" + done[side] + " of " + millis[side].length);
        }
        return millis[side].clone();
    }
}
