package io.myolotrain.schemas;

/** The registry holds schemas of this subject that ours is not compatible with; nothing was registered. */
public final class SchemaRefused extends RuntimeException {
    public SchemaRefused(String message, Throwable cause) {
        super(message, cause);
    }
}
