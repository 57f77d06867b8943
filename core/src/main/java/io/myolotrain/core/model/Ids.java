package io.myolotrain.core.model;

/** The one rule for names that come from outside and end up in paths, keys and pages. */
final class Ids {
    private static final int LENGTH_MAX = 63;

    private Ids() {}

    static String checked(String kind, String value) {
        if (!isName(value)) {
            throw new IllegalArgumentException(
                    kind + " must be 1 to 63 of a-z 0-9 . _ - and start with a letter or digit: " + kind + "=" + value);
        }
        return value;
    }

    // A loop, not a regular expression: every record of every topic comes through here.
    private static boolean isName(String value) {
        int length = value.length();
        if (length == 0 || length > LENGTH_MAX || !isLetterOrDigit(value.charAt(0))) {
            return false;
        }
        for (int i = 1; i < length; i++) {
            char c = value.charAt(i);
            if (!isLetterOrDigit(c) && c != '.' && c != '_' && c != '-') {
                return false;
            }
        }
        return true;
    }

    private static boolean isLetterOrDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    }
}
