package io.myolotrain.core.planning;

/** Quotes what an outsider wrote, bounded and without control characters, so that it can stand in a line of a log or page. */
public final class Quote {
    private static final int VALUE_MAX = 60;
    private static final int SENTENCE_MAX = 300;

    private Quote() {}

    /** A value. */
    public static String of(String text) {
        return bounded(text, VALUE_MAX);
    }

    /** A reason. */
    public static String sentence(String text) {
        return bounded(text, SENTENCE_MAX);
    }

    private static String bounded(String text, int max) {
        var shown = new StringBuilder();
        int at = 0;
        for (int count = 0; at < text.length() && count < max; count++) {
            int c = text.codePointAt(at);
            at += Character.charCount(c);
            shown.appendCodePoint(isPrintable(c) ? c : '?');
        }
        return at < text.length() ? shown + "…" : shown.toString();
    }

    private static boolean isPrintable(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
