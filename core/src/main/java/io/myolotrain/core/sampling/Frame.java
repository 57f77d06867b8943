package io.myolotrain.core.sampling;

/** A picture of one moment: it is kept whole or not at all, since pictures of several steps can't be averaged. */
public sealed interface Frame extends Content permits Histograms, Matrix, Spans, AttentionMap {
    int NAME_CHARS_MAX = 200;

    /** Dotted, for example {@code gradient.histogram}; the name decides the policy, as it does for single values. */
    String name();

    /** Names come from outside and end up in keys and pages. */
    static void requireName(String name) {
        if (name.isBlank() || name.length() > NAME_CHARS_MAX) {
            throw new IllegalArgumentException("a metric's name must have 1 to " + NAME_CHARS_MAX
                    + " characters: length=" + name.length() + " name=" + head(name));
        }
    }

    private static String head(String name) {
        return name.length() <= 40 ? name : name.substring(0, 40) + "…";
    }
}
