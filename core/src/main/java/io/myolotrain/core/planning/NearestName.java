package io.myolotrain.core.planning;

import java.util.Comparator;
import java.util.List;

/** The known name closest to a mistyped one, by Levenshtein distance; the first of equally close ones. */
final class NearestName {
    private static final int LENGTH_MAX = 64; // longer input is compared by its start

    private NearestName() {}

    static String of(String typed, List<String> known) {
        String start = typed.substring(0, Math.min(typed.length(), LENGTH_MAX));
        return known.stream()
                .min(Comparator.comparingInt(name -> distance(start, name)))
                .orElseThrow();
    }

    private static int distance(String a, String b) {
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] current = new int[b.length() + 1];
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
            }
            previous = current;
        }
        return previous[b.length()];
    }
}
