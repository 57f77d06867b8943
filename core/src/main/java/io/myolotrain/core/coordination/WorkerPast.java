package io.myolotrain.core.coordination;

/**
 * What the pool remembers of a worker id when a life of it has ended.
 *
 * @param incarnation of the last life that ended; it cannot come back, nor can an older one
 * @param deaths ends in a row that nobody asked for, with less than {@link Trust#STABLE_MS} between them
 * @param endedAtMs journal's clock at the last end, Unix milliseconds
 */
public record WorkerPast(long incarnation, int deaths, long endedAtMs) {}
