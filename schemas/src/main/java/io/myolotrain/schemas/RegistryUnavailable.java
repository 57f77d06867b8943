package io.myolotrain.schemas;

import org.apache.kafka.common.errors.RetriableException;

/** The registry cannot answer now. Says nothing about the record at hand: try again, never take it for a poison record. */
public final class RegistryUnavailable extends RetriableException {
    public RegistryUnavailable(String message, Throwable cause) {
        super(message, cause);
    }
}
