package io.myolotrain.core.sampling;

import io.myolotrain.core.model.WorkerId;

/**
 * Where a reading comes from.
 *
 * @param step counts committed updates, from 1; 0 = before the first
 * @param rank of the worker in its generation
 * @param atMs reporter's clock, Unix milliseconds
 */
public record Origin(Line line, long step, WorkerId worker, int rank, long atMs) {}
