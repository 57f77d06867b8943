package io.myolotrain.schemas;

/** The bytes are to blame: reading them again will fail again. Belongs into the dead letters, with its reason. */
public final class Undecodable extends Exception {
    public Undecodable(String reason) {
        super(reason);
    }

    public Undecodable(String reason, Throwable cause) {
        super(reason, cause);
    }

    /** The rule that the bytes break, for people. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
