package io.myolotrain.schemas;

import java.io.IOException;
import java.nio.file.Path;

/** Writes the current schemas as those of a release, before its tag is set. {@code schemas/freeze VERSION} runs it. */
public final class SchemaFreeze {
    private SchemaFreeze() {}

    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            throw new IllegalArgumentException("usage: SchemaFreeze VERSION DIRECTORY");
        }
        ReleasedSchemas.write(Path.of(args[1]), args[0], TopicSchemas.current());
    }
}
