package io.myolotrain.core.encoding;

/** Bytes that are no canonical encoding of the expected type: damaged, cut, or of another version. */
public final class MalformedEncodingException extends RuntimeException {
    public MalformedEncodingException(String message) {
        super(message);
    }

    public MalformedEncodingException(String message, Throwable cause) {
        super(message, cause);
    }
}
