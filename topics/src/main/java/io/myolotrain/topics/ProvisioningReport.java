package io.myolotrain.topics;

import java.util.List;

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
            return topic + ": " + setting + " is " + found + ", this release wants " + wanted;
        }
    }
}
