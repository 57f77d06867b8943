package io.myolotrain.core.model;

import java.util.regex.Pattern;

/** The one rule for names that come from outside and end up in paths, keys and pages. */
final class Ids {
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,62}");

    private Ids() {}

    static String checked(String kind, String value) {
        if (!NAME.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    kind + " must be 1 to 63 of a-z 0-9 . _ - and start with a letter or digit: " + kind + "=" + value);
        }
        return value;
    }
}
