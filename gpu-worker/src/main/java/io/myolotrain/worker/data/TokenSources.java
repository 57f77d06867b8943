package io.myolotrain.worker.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;

/** Opens what a job's {@code data} names. */
public final class TokenSources {
    private static final String KINDS =
            "data is a directory or .jar/.zip of text files, one text file, or a .bin file of uint16 tokens";

    private TokenSources() {}

    /**
     * @param data path of a directory, archive, text file or token file
     * @throws CorpusException when it is not there, not readable, not of these kinds or too small
     */
    public static TokenSource open(String data, int sequenceLength, int vocabulary) {
        Path path = existing(data);
        try {
            return new CutTokens(tokens(path, vocabulary), sequenceLength, vocabulary);
        } catch (IOException e) {
            throw new CorpusException("data must be readable: data=" + path + " cause=" + e, e);
        }
    }

    private static Path existing(String data) {
        Path path;
        try {
            path = Path.of(data).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            throw new CorpusException("data must be a path: data=" + data, e);
        }
        if (data.isBlank() || !Files.exists(path)) {
            throw new CorpusException("data not found: data=" + data + " path=" + path
                    + "; name a path that exists on every worker's host (" + KINDS + ")");
        }
        return path;
    }

    private static Tokens tokens(Path path, int vocabulary) throws IOException {
        String name = path.toString().toLowerCase(Locale.ROOT);
        if (Files.isDirectory(path)) {
            return TextCorpus.ofDirectory(textVocabulary(path, vocabulary));
        }
        if (name.endsWith(".jar") || name.endsWith(".zip")) {
            return TextCorpus.ofArchive(textVocabulary(path, vocabulary));
        }
        if (name.endsWith(".bin")) {
            return TokenFile.open(path, vocabulary);
        }
        if (TextFiles.isText(name)) {
            return TextCorpus.ofFile(textVocabulary(path, vocabulary));
        }
        throw new CorpusException(KINDS + ": data=" + path);
    }

    private static Path textVocabulary(Path path, int vocabulary) {
        if (vocabulary < TextCorpus.VOCABULARY) {
            throw new CorpusException("text is read as bytes, so the vocabulary must be >= " + TextCorpus.VOCABULARY
                    + ": vocabulary=" + vocabulary + " data=" + path);
        }
        return path;
    }
}
