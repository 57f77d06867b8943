package io.myolotrain.topics;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.CommonClientConfigs;

/**
 * Where the broker and the registry are; every component starts from one.
 *
 * @param kafkaProperties further client settings, for example security; keys with the prefix {@code schema.registry.} go to
 *     the registry's client
 */
public record Connection(String bootstrap, String registryUrl, SortedMap<String, String> kafkaProperties) {
    private static final String REGISTRY_PREFIX = "schema.registry.";

    public Connection {
        if (bootstrap.isBlank() || registryUrl.isBlank()) {
            throw new IllegalArgumentException(
                    "a connection needs a broker and a registry: bootstrap=" + bootstrap + " registry=" + registryUrl);
        }
        kafkaProperties = Collections.unmodifiableSortedMap(new TreeMap<>(kafkaProperties));
    }

    public static Connection of(String bootstrap, String registryUrl) {
        return new Connection(bootstrap, registryUrl, new TreeMap<>());
    }

    /** Settings for any Kafka client, Streams included; a fresh map that the caller may extend. */
    public SortedMap<String, Object> clientSettings() {
        var settings = new TreeMap<String, Object>();
        kafkaProperties.forEach((key, value) -> {
            if (!key.startsWith(REGISTRY_PREFIX)) {
                settings.put(key, value);
            }
        });
        settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        return settings;
    }

    /** Settings for the registry's client; it reads some with and some without the prefix. */
    SortedMap<String, String> registrySettings() {
        var settings = new TreeMap<String, String>();
        for (Map.Entry<String, String> entry : kafkaProperties.entrySet()) {
            if (entry.getKey().startsWith(REGISTRY_PREFIX)) {
                settings.put(entry.getKey(), entry.getValue());
                settings.put(entry.getKey().substring(REGISTRY_PREFIX.length()), entry.getValue());
            }
        }
        return settings;
    }

    /** Without the properties: they may hold secrets. */
    @Override
    public String toString() {
        return "bootstrap=" + bootstrap + " registry=" + registryUrl;
    }
}
