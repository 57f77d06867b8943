package io.myolotrain.worker.checkpoint;

/** A checkpoint cannot be written or used. The message says which, where and why. */
public final class CheckpointException extends RuntimeException {
    public CheckpointException(String message) {
        super(message);
    }

    public CheckpointException(String message, Throwable cause) {
        super(message, cause);
    }
}
