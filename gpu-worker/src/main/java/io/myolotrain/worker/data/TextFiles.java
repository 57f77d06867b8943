package io.myolotrain.worker.data;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Finds the text files of a directory or an archive, sorted by name, so that every machine reads the same stream. */
final class TextFiles {
    static final int FILES_MAX = 1_000_000;
    static final int DEPTH_MAX = 64;

    /** Deflate cannot do better (zlib's own bound); an entry that claims more lies about its size. */
    private static final int DEFLATE_RATIO_MAX = 1_032;

    private static final Set<String> EXTENSIONS = Set.of(
            "adoc",
            "avdl",
            "avsc",
            "bash",
            "c",
            "cc",
            "cfg",
            "conf",
            "cpp",
            "cs",
            "css",
            "csv",
            "go",
            "gradle",
            "groovy",
            "h",
            "hpp",
            "html",
            "ini",
            "java",
            "js",
            "json",
            "kt",
            "kts",
            "lua",
            "md",
            "php",
            "pl",
            "properties",
            "proto",
            "py",
            "r",
            "rb",
            "rs",
            "rst",
            "scala",
            "sh",
            "sql",
            "svg",
            "swift",
            "tex",
            "toml",
            "ts",
            "tsv",
            "txt",
            "xml",
            "yaml",
            "yml");

    private TextFiles() {}

    /** A file not yet read. {@code name} is relative to the corpus, with slashes. */
    record TextFile(String name, long sizeBytes, Content content) {}

    @FunctionalInterface
    interface Content {
        InputStream open() throws IOException;
    }

    static boolean isText(String name) {
        int dot = name.lastIndexOf('.');
        return dot >= 0 && EXTENSIONS.contains(name.substring(dot + 1).toLowerCase(Locale.ROOT));
    }

    /** Links are not followed: what lies outside of the directory is not part of the corpus. */
    static List<TextFile> inDirectory(Path root) throws IOException {
        try (Stream<Path> walk = Files.walk(root, DEPTH_MAX, new FileVisitOption[0])) {
            return sorted(
                    walk.filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)),
                    path -> root.relativize(path).toString().replace('\\', '/'),
                    path -> new TextFile(
                            root.relativize(path).toString().replace('\\', '/'),
                            Files.size(path),
                            () -> Files.newInputStream(path)),
                    root);
        }
    }

    static List<TextFile> inArchive(ZipFile archive, Path path) throws IOException {
        return sorted(
                archive.stream().filter(entry -> !entry.isDirectory()),
                ZipEntry::getName,
                entry -> new TextFile(entry.getName(), claimedSize(entry, path), () -> archive.getInputStream(entry)),
                path);
    }

    private static long claimedSize(ZipEntry entry, Path path) {
        long size = entry.getSize();
        long packed = entry.getCompressedSize();
        if (size < 0 || packed < 0 || size > (packed + 1) * DEFLATE_RATIO_MAX) {
            throw new CorpusException("an archive entry's size must be possible: archive=" + path + " entry="
                    + entry.getName() + " size=" + size + " compressed=" + packed);
        }
        return size;
    }

    private interface ToTextFile<F> {
        TextFile of(F file) throws IOException;
    }

    private static <F> List<TextFile> sorted(
            Stream<F> files, Function<F, String> name, ToTextFile<F> toTextFile, Path path) throws IOException {
        var found = new ArrayList<TextFile>();
        for (F file : (Iterable<F>) files.filter(f -> isText(name.apply(f)))::iterator) {
            if (found.size() == FILES_MAX) {
                throw new CorpusException("a corpus has at most " + FILES_MAX + " text files: data=" + path
                        + "; join them into larger files");
            }
            found.add(toTextFile.of(file));
        }
        found.sort(Comparator.comparing(TextFile::name)); // by UTF-16 units: the same on every machine and locale
        return found;
    }
}
