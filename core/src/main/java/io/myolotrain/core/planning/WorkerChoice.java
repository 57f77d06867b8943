package io.myolotrain.core.planning;

import io.myolotrain.core.model.JobSpec.Transport;
import io.myolotrain.core.model.WorkerInfo;
import io.myolotrain.core.model.WorkerRef;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which workers, in which rank order. Holders that stay keep their order, and the highest ranks go first when there are
 * too many: so a change moves as little as it can. New ones come from the hosts that already hold the most members, and
 * in the order of their ids there.
 */
final class WorkerChoice {
    private WorkerChoice() {}

    static List<WorkerInfo> choose(PlanRequest request) {
        int wanted = Math.min(
                request.config().workers(),
                request.config().globalBatch() / request.spec().microBatch());
        List<WorkerInfo> usable = ofOneHostIfAsked(request);
        var usableRefs = new TreeSet<WorkerRef>();
        usable.forEach(worker -> usableRefs.add(worker.ref()));
        var chosen = new ArrayList<WorkerInfo>();
        for (WorkerInfo holder : request.holders()) {
            if (chosen.size() < wanted && usableRefs.remove(holder.ref())) {
                chosen.add(holder);
            }
        }
        var others = new ArrayList<>(usable);
        others.removeIf(worker -> !usableRefs.contains(worker.ref()));
        others.sort(byAffinity(chosen, others));
        for (WorkerInfo worker : others) {
            if (chosen.size() < wanted) {
                chosen.add(worker);
            }
        }
        return List.copyOf(chosen);
    }

    private static boolean isHolder(PlanRequest request, WorkerInfo worker) {
        return request.holders().stream().anyMatch(h -> h.ref().equals(worker.ref()));
    }

    private static Comparator<WorkerInfo> byAffinity(List<WorkerInfo> chosen, List<WorkerInfo> others) {
        Map<String, Integer> members = perHost(chosen);
        Map<String, Integer> free = perHost(others);
        return Comparator.comparing((WorkerInfo w) -> -members.getOrDefault(w.host(), 0))
                .thenComparing(w -> -free.getOrDefault(w.host(), 0))
                .thenComparing(WorkerInfo::host)
                .thenComparing(WorkerInfo::ref);
    }

    /** Shared memory by request keeps to one host: the holders', else the one with the most usable workers. */
    private static List<WorkerInfo> ofOneHostIfAsked(PlanRequest request) {
        if (request.spec().transport() != Transport.SHARED_MEMORY
                || request.usable().isEmpty()) {
            return request.usable();
        }
        List<WorkerInfo> holders =
                request.usable().stream().filter(w -> isHolder(request, w)).toList();
        Map<String, Integer> perHost = perHost(holders.isEmpty() ? request.usable() : holders);
        String host = perHost.entrySet().stream()
                .max(Map.Entry.<String, Integer>comparingByValue()
                        .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                .orElseThrow()
                .getKey();
        return request.usable().stream().filter(w -> w.host().equals(host)).toList();
    }

    private static Map<String, Integer> perHost(List<WorkerInfo> workers) {
        var count = new TreeMap<String, Integer>();
        workers.forEach(w -> count.merge(w.host(), 1, Integer::sum));
        return count;
    }
}
