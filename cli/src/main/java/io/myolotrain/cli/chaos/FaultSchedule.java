package io.myolotrain.cli.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;

/**
 * Faults drawn from a seed: the same seed, settings and workers give the same faults. Times are spread around the interval,
 * so that faults do not keep step with anything.
 */
final class FaultSchedule implements Iterator<Fault> {
    private final Settings settings;
    private final List<String> workers;
    private final Random random;
    private Duration at = Duration.ZERO;

    /**
     * @param kinds at least one
     * @param share of the workers that a fault hits, in (0, 1]; at least one worker is hit
     * @param interval mean time between faults
     * @param lasting of faults that end
     * @param total no fault begins later
     */
    record Settings(
            long seed, List<Fault.Kind> kinds, double share, Duration interval, Duration lasting, Duration total) {
        Settings {
            kinds = List.copyOf(kinds);
        }
    }

    /** @param workers ids of all that may be hit */
    FaultSchedule(Settings settings, List<String> workers) {
        this.settings = settings;
        this.workers = workers.stream().sorted().toList();
        this.random = new Random(settings.seed());
        advance();
    }

    private void advance() {
        double factor = 0.5 + random.nextDouble();
        at = at.plusMillis(Math.max(1, Math.round(settings.interval().toMillis() * factor)));
    }

    @Override
    public boolean hasNext() {
        return at.compareTo(settings.total()) <= 0 && !workers.isEmpty();
    }

    @Override
    public Fault next() {
        if (!hasNext()) {
            throw new NoSuchElementException("the schedule has ended: total=" + settings.total());
        }
        Fault.Kind kind = settings.kinds().get(random.nextInt(settings.kinds().size()));
        List<String> shuffled = new ArrayList<>(workers);
        Collections.shuffle(shuffled, random);
        int hit = Math.max(1, (int) Math.round(settings.share() * workers.size()));
        List<String> targets =
                kind.hitsWorkers() ? shuffled.subList(0, hit).stream().sorted().toList() : List.of();
        var fault = new Fault(at, kind, targets, kind.ends() ? settings.lasting() : Duration.ZERO);
        advance();
        return fault;
    }
}
