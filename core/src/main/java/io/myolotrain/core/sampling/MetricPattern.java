package io.myolotrain.core.sampling;

import java.util.Locale;

/**
 * Names that a rule takes, whatever their case. With {@code *} (any characters) or {@code ?} (one character) it must match
 * the whole name; without, it is a fragment that stands anywhere in the name.
 */
public record MetricPattern(String text) {
    public static final int CHARS_MAX = 200;

    public MetricPattern {
        if (text.isBlank() || text.length() > CHARS_MAX || text.chars().anyMatch(c -> c <= ' ' || c == 0x7f)) {
            throw new IllegalArgumentException(
                    "a pattern must have 1 to " + CHARS_MAX + " characters and no blanks: pattern=" + text);
        }
        text = text.toLowerCase(Locale.ROOT);
    }

    public boolean matches(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return isGlob() ? glob(text, lower) : lower.contains(text);
    }

    private boolean isGlob() {
        return text.indexOf('*') >= 0 || text.indexOf('?') >= 0;
    }

    /** Only the last star is ever tried again, so the cost is at most pattern × name: no pattern can hang a reader. */
    private static boolean glob(String pattern, String name) {
        int p = 0;
        int n = 0;
        int star = -1;
        int resume = 0;
        while (n < name.length()) {
            if (p < pattern.length()
                    && (pattern.charAt(p) == '?' || pattern.charAt(p) == name.charAt(n))
                    && pattern.charAt(p) != '*') {
                p++;
                n++;
            } else if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                resume = n;
            } else if (star >= 0) {
                p = star + 1;
                n = ++resume;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }

    @Override
    public String toString() {
        return text;
    }
}
