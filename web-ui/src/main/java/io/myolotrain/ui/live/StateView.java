package io.myolotrain.ui.live;

import java.util.List;

/** What a page needs to start. {@code position} is where the stream goes on from here. */
public record StateView(
        String position,
        PoolView pool,
        List<JobView> jobs,
        EventLog.Page events,
        List<ChangeView> changes,
        HealthView health) {}
