package io.myolotrain.cli.demo;

import java.io.PrintWriter;

/** Prints lines and, on a terminal, one line that changes in place; elsewhere that line is printed now and then. */
final class Terminal {
    private static final String ERASE_LINE = "\r\u001b[2K";
    private static final int PLAIN_EVERY = 20; // of the updates

    private final PrintWriter out;
    private final boolean interactive;
    private int updates;
    private boolean live;

    Terminal(PrintWriter out, boolean interactive) {
        this.out = out;
        this.interactive = interactive;
    }

    synchronized void line(String text) {
        if (live) {
            out.print(ERASE_LINE);
            live = false;
        }
        out.println(text);
        out.flush();
    }

    synchronized void update(String text) {
        if (interactive) {
            out.print(ERASE_LINE + text);
            live = true;
        } else if (updates++ % PLAIN_EVERY == 0) {
            out.println(text);
        }
        out.flush();
    }
}
