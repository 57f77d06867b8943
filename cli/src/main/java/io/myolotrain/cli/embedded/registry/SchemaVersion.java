package io.myolotrain.cli.embedded.registry;

/** One registered schema. {@code deleted} is a soft delete: hidden from lists, still readable by id. */
record SchemaVersion(String subject, int version, int id, String schema, boolean deleted) {
    SchemaVersion asDeleted() {
        return new SchemaVersion(subject, version, id, schema, true);
    }
}
