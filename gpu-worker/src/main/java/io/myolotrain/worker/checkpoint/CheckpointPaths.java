package io.myolotrain.worker.checkpoint;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of checkpoint directories and files. Identity is job, attempt and step.
 *
 * <pre>
 *  root/job/attempt/step-000000200/                 published
 *                     model.safetensors  moments-0.safetensors …  state.json  manifest.json
 *                  .tmp-step-000000200-g7/          being written under generation 7
 *                  .replaced-step-000000200-1/      published before, kept until its replacement is in place
 *                  .trash-…/                        being deleted
 * </pre>
 */
final class CheckpointPaths {
    static final String MODEL = "model.safetensors";
    static final String STATE = "state.json";
    static final String MANIFEST = "manifest.json";
    static final String MANIFEST_TMP = ".manifest.json.tmp";
    static final String TRASH_PREFIX = ".trash-";

    private static final Pattern ATTEMPT = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}");
    private static final Pattern FILE = Pattern.compile("[a-z0-9][a-z0-9.-]{0,63}");
    private static final Pattern MOMENTS = Pattern.compile("moments-(\\d{1,6})\\.safetensors");
    private static final String STEP = "step-(\\d{9,18})";
    private static final Pattern PUBLISHED = Pattern.compile(STEP);
    private static final Pattern REPLACED = Pattern.compile("\\.replaced-" + STEP + "-\\d{1,6}");
    private static final Pattern UNFINISHED = Pattern.compile("\\.tmp-" + STEP + "-g(\\d{1,18})");

    private CheckpointPaths() {}

    static Path attempt(Path root, JobId job, String attempt) {
        if (!ATTEMPT.matcher(attempt).matches()) {
            throw new IllegalArgumentException(
                    "an attempt must match " + ATTEMPT + " to name a directory: attempt=" + attempt);
        }
        return root.resolve(job.value()).resolve(attempt);
    }

    static String published(long step) {
        return String.format(Locale.ROOT, "step-%09d", step);
    }

    static String unfinished(long step, Generation generation) {
        return ".tmp-" + published(step) + "-g" + generation;
    }

    static String replaced(long step, int number) {
        return ".replaced-" + published(step) + "-" + number;
    }

    static String moments(int part) {
        return "moments-" + part + ".safetensors";
    }

    static boolean isMoments(String file) {
        return MOMENTS.matcher(file).matches();
    }

    static boolean isPlainFileName(String file) {
        return FILE.matcher(file).matches();
    }

    static boolean isPublished(String directory) {
        return PUBLISHED.matcher(directory).matches();
    }

    static boolean isReplaced(String directory) {
        return REPLACED.matcher(directory).matches();
    }

    static boolean isUnfinished(String directory) {
        return UNFINISHED.matcher(directory).matches();
    }

    /** Step that a directory's name claims; empty when it is not a checkpoint's. */
    static OptionalLong stepOf(String directory) {
        for (Pattern pattern : new Pattern[] {PUBLISHED, REPLACED, UNFINISHED}) {
            Matcher matcher = pattern.matcher(directory);
            if (matcher.matches()) {
                return OptionalLong.of(Long.parseLong(matcher.group(1)));
            }
        }
        return OptionalLong.empty();
    }

    static Generation generationOfUnfinished(String directory) {
        Matcher matcher = UNFINISHED.matcher(directory);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not an unfinished checkpoint: directory=" + directory);
        }
        return new Generation(Long.parseLong(matcher.group(2)));
    }
}
