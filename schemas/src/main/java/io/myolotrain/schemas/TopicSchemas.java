package io.myolotrain.schemas;

import io.myolotrain.schemas.avro.ConfigEvent;
import io.myolotrain.schemas.avro.DeadLetter;
import io.myolotrain.schemas.avro.DecisionRecord;
import io.myolotrain.schemas.avro.JournalRecord;
import io.myolotrain.schemas.avro.MetricFrame;
import io.myolotrain.schemas.avro.MetricPoint;
import io.myolotrain.schemas.avro.MetricReading;
import io.myolotrain.schemas.avro.ProgressEvent;
import io.myolotrain.schemas.avro.RebalancePlan;
import io.myolotrain.schemas.avro.SamplingEvent;
import io.myolotrain.schemas.avro.WorkerEvent;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.avro.Schema;

/** Schema of each topic's values, by the topic's name: what a release promises to go on reading. */
public final class TopicSchemas {
    private TopicSchemas() {}

    public static SortedMap<String, Schema> current() {
        var schemas = new TreeMap<String, Schema>();
        schemas.put("config-changes", ConfigEvent.getClassSchema());
        schemas.put("worker-events", WorkerEvent.getClassSchema());
        schemas.put("step-completions", ProgressEvent.getClassSchema());
        schemas.put("journal", JournalRecord.getClassSchema());
        schemas.put("rebalance-plans", RebalancePlan.getClassSchema());
        schemas.put("decisions", DecisionRecord.getClassSchema());
        schemas.put("metric-samples", MetricReading.getClassSchema());
        schemas.put("metric-series", MetricPoint.getClassSchema());
        schemas.put("metric-frames", MetricFrame.getClassSchema());
        schemas.put("sampling-changes", SamplingEvent.getClassSchema());
        schemas.put("dead-letters", DeadLetter.getClassSchema());
        return Collections.unmodifiableSortedMap(schemas);
    }
}
