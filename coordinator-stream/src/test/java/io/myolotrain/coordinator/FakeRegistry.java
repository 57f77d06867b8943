package io.myolotrain.coordinator;

import io.myolotrain.schemas.RegistryUnavailable;
import io.myolotrain.schemas.SchemaRegistry;
import io.myolotrain.schemas.Undecodable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;

/** A registry in memory that can go away and come back, and that counts who asks for ids. */
final class FakeRegistry implements SchemaRegistry {
    private final List<Schema> schemas = new ArrayList<>();
    private int lookUps;
    private int failuresLeft;

    void fail(int times) {
        failuresLeft = times;
    }

    int lookUps() {
        return lookUps;
    }

    @Override
    public int idFor(String subject, Schema schema) {
        if (!schemas.contains(schema)) {
            schemas.add(schema);
        }
        return schemas.indexOf(schema) + 1;
    }

    @Override
    public Schema schemaById(int id) throws Undecodable {
        lookUps++;
        if (failuresLeft > 0) {
            failuresLeft--;
            throw new RegistryUnavailable("the registry is away", new IOException("connection refused"));
        }
        if (id < 1 || id > schemas.size()) {
            throw new Undecodable("a schema must be known to the registry: schemaId=" + id);
        }
        return schemas.get(id - 1);
    }

    @Override
    public Optional<String> compatibility(String subject) {
        return Optional.of(FULL_TRANSITIVE);
    }

    @Override
    public void setCompatibility(String subject, String level) {
        // Every level is this one's.
    }

    @Override
    public void close() {
        // Nothing to release.
    }
}
