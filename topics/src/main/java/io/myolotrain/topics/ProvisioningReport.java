package io.myolotrain.topics;

import java.util.List;
import org.apache.kafka.common.config.TopicConfig;

/**
 * @param created topics that were missing
 * @param drift differences between what is there and what this release wants; nothing was changed
 */
public record ProvisioningReport(List<String> created, List<Drift> drift) {
    public ProvisioningReport {
        created = List.copyOf(created);
        drift = List.copyOf(drift);
    }

    /** @param setting a topic setting by Kafka's name, {@code partitions}, or the subject's {@code compatibility} */
    public record Drift(String topic, String setting, String wanted, String found) {
        @Override
        public String toString() {
            String difference = topic + ": " + setting + " is " + found + ", this release wants " + wanted;
            return setting.equals(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG)
                    ? difference + "; events of a clock that is behind by more than the retention would be deleted"
                            + " although they were acknowledged"
                    : difference;
        }
    }
}
