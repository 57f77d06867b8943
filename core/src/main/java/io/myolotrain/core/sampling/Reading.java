package io.myolotrain.core.sampling;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import io.myolotrain.core.model.PoolId;
import io.myolotrain.core.model.WorkerId;

/**
 * One value of one metric at one step.
 *
 * @param name dotted, for example {@code train.loss}; names that contain {@code gradient} or {@code comm} have own policies
 * @param value may be NaN or infinite: that is news, not an error
 * @param atMs reporter's clock, Unix milliseconds
 */
public record Reading(
        PoolId pool,
        JobId job,
        String attempt,
        Generation generation,
        long step,
        WorkerId worker,
        int rank,
        String name,
        double value,
        long atMs) {}
