package io.myolotrain.cli.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;

/** What the threads that a training brought along use of the processor, the training thread itself not counted. */
final class HelperThreads {
    private static final String TRAINING = "training";

    private final ThreadMXBean jvm = ManagementFactory.getThreadMXBean();
    private final List<Set<Long>> bySide = List.of(new TreeSet<>(), new TreeSet<>());

    /** Opens something; the threads that it starts are those of this side. */
    <T> T tell(Callable<T> open, int side) throws Exception {
        Set<Long> before = all();
        T opened = open.call();
        Set<Long> started = all();
        started.removeAll(before);
        bySide.get(side).addAll(started);
        return opened;
    }

    private Set<Long> all() {
        var ids = new TreeSet<Long>();
        for (long id : jvm.getAllThreadIds()) {
            ThreadInfo thread = jvm.getThreadInfo(id);
            if (thread != null && !thread.getThreadName().equals(TRAINING)) {
                ids.add(id);
            }
        }
        return ids;
    }

    /** Since they were started; of those that live. */
    double cpuMillis(int side) {
        return bySide.get(side).stream()
                .mapToDouble(id -> Math.max(0, jvm.getThreadCpuTime(id)) / 1e6)
                .sum();
    }
}
