package io.myolotrain.worker.data;

/** The data of a job cannot be used. The message is for the person who named it: rule, values, next step. */
public final class CorpusException extends RuntimeException {
    public CorpusException(String message) {
        super(message);
    }

    public CorpusException(String message, Throwable cause) {
        super(message, cause);
    }
}
