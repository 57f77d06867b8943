package io.myolotrain.schemas;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaFormatter;

/** The schemas of past releases as files: {@code <directory>/<version>/<topic>.avsc}. They are never edited. */
public final class ReleasedSchemas {
    private static final Pattern VERSION = Pattern.compile("[0-9]+\\.[0-9]+\\.[0-9]+");
    private static final SchemaFormatter PRETTY = SchemaFormatter.getInstance("json/pretty");
    private static final String SUFFIX = ".avsc";

    private ReleasedSchemas() {}

    /** Topics' schemas by version; empty when nothing was released yet. */
    public static SortedMap<String, SortedMap<String, Schema>> read(Path directory) throws IOException {
        var versions = new TreeMap<String, SortedMap<String, Schema>>();
        if (!Files.isDirectory(directory)) {
            return versions;
        }
        for (Path version : list(directory)) {
            if (Files.isDirectory(version)) {
                versions.put(version.getFileName().toString(), readVersion(version));
            }
        }
        return versions;
    }

    private static SortedMap<String, Schema> readVersion(Path version) throws IOException {
        var schemas = new TreeMap<String, Schema>();
        for (Path file : list(version)) {
            String name = file.getFileName().toString();
            if (name.endsWith(SUFFIX)) {
                String topic = name.substring(0, name.length() - SUFFIX.length());
                schemas.put(topic, new Schema.Parser().parse(Files.readString(file)));
            }
        }
        return schemas;
    }

    /** Writes the schemas of a release; refuses to touch one that exists. */
    static void write(Path directory, String version, SortedMap<String, Schema> schemas) throws IOException {
        if (!VERSION.matcher(version).matches()) {
            throw new IllegalArgumentException("a release must be major.minor.patch: version=" + version);
        }
        Path target = directory.resolve(version);
        if (Files.exists(target)) {
            throw new IllegalArgumentException(
                    "a release's schemas must never change: directory=" + target + "; choose the next version");
        }
        Files.createDirectories(target);
        for (var entry : schemas.entrySet()) {
            Files.writeString(target.resolve(entry.getKey() + SUFFIX), PRETTY.format(entry.getValue()) + "\n");
        }
    }

    private static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }
}
