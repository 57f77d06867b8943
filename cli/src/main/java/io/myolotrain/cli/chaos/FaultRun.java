package io.myolotrain.cli.chaos;

import io.myolotrain.cli.client.Session;
import io.myolotrain.cli.component.Lifetime;
import io.myolotrain.core.coordination.Event;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.PriorityBlockingQueue;
import org.jspecify.annotations.Nullable;

/** Carries a schedule out, in real time, and tells the log and the terminal. */
final class FaultRun {
    private final FaultSchedule schedule;
    private final FaultInjector injector;
    private final Session session;
    private final Lifetime lifetime;
    private final PrintWriter out;
    private final Queue<Ending> endings = new PriorityBlockingQueue<>(16, Comparator.comparing(Ending::at));

    /** The end of a fault, when it is due. */
    private record Ending(Duration at, Fault fault, List<String> targets, List<FaultInjector.Mendable> broken) {}

    FaultRun(FaultSchedule schedule, FaultInjector injector, Session session, Lifetime lifetime, PrintWriter out) {
        this.schedule = schedule;
        this.injector = injector;
        this.session = session;
        this.lifetime = lifetime;
        this.out = out;
    }

    /** @param origin stands with each fault in the log */
    void run(String origin) throws IOException, InterruptedException {
        long started = System.nanoTime();
        lifetime.own("what is broken for a while", this::mendAll); // Ctrl-C leaves nothing broken behind
        Fault next = next();
        while (next != null || !endings.isEmpty()) {
            Ending ending = endings.peek();
            boolean endingFirst = ending != null && (next == null || ending.at().compareTo(next.after()) <= 0);
            Duration due =
                    endingFirst ? ending.at() : Objects.requireNonNull(next).after();
            Duration left = due.minusNanos(System.nanoTime() - started);
            if (!left.isNegative() && lifetime.endedWithin(left)) {
                return;
            }
            if (endingFirst) {
                endings.remove();
                mend(ending);
                tell("end of " + ending.fault().kind().verb(), ending.targets(), origin);
            } else {
                inject(Objects.requireNonNull(next), origin);
                next = next();
            }
        }
    }

    private @Nullable Fault next() {
        return schedule.hasNext() ? schedule.next() : null;
    }

    private void inject(Fault fault, String origin) throws IOException, InterruptedException {
        List<String> targets = injector.targets(fault);
        if (targets.isEmpty()) {
            say(text(fault) + ": none of them runs now");
            return;
        }
        String detail = injector.detail(fault);
        tell(fault.kind().verb(), targets, origin + (detail.isEmpty() ? "" : ", " + detail));
        List<FaultInjector.Mendable> broken = injector.inject(fault);
        if (!broken.isEmpty()) {
            endings.add(new Ending(fault.after().plus(fault.lasting()), fault, targets, broken));
        }
        say(text(fault));
    }

    private void mendAll() {
        endings.forEach(this::mend);
    }

    private void mend(Ending ending) {
        for (FaultInjector.Mendable broken : ending.broken()) {
            try {
                broken.mend();
            } catch (IOException gone) {
                say("         cannot be mended: " + gone.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        say("         end of " + ending.fault().kind().verb() + " " + String.join(", ", ending.targets()));
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }

    /** First the event, then the fault: what follows must stand behind it in the log. */
    private void tell(String what, List<String> targets, String detail) {
        session.publish(Session.newEventId(), new Event.FaultInjected(what, targets, detail));
    }

    static String text(Fault fault) {
        return String.format(
                Locale.ROOT,
                "%7.1f s %-13s %s%s",
                fault.after().toMillis() / 1e3,
                fault.kind().verb(),
                fault.kind().hitsWorkers() ? String.join(", ", fault.targets()) : "broker",
                fault.lasting().isZero() ? "" : " for " + fault.lasting().toSeconds() + " s");
    }
}
