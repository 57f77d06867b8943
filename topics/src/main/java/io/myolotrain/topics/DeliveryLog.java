package io.myolotrain.topics;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the first lost record of an outage and the first delivered one after it, not each of a thousand in between. */
final class DeliveryLog {
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryLog.class);

    private final AtomicLong failures = new AtomicLong();
    private final AtomicLong outage = new AtomicLong();

    void failed(String topic, Exception cause) {
        failures.incrementAndGet();
        if (outage.getAndIncrement() == 0) {
            LOG.atError()
                    .addKeyValue("topic", topic)
                    .addKeyValue("error", cause.toString())
                    .log("Record was not delivered");
        }
    }

    void delivered() {
        if (outage.get() != 0) {
            long lost = outage.getAndSet(0);
            LOG.atInfo().addKeyValue("lost", lost).log("Records are delivered again");
        }
    }

    long failures() {
        return failures.get();
    }
}
