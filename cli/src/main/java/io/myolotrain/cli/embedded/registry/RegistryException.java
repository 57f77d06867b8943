package io.myolotrain.cli.embedded.registry;

/** An answer of Confluent's API other than success: HTTP status, error code, sentence. */
final class RegistryException extends RuntimeException {
    final int status;
    final int code;

    RegistryException(int status, int code, String message) {
        super(message);
        this.status = status;
        this.code = code;
    }

    static RegistryException subjectNotFound(String subject) {
        return new RegistryException(404, 40401, "Subject '" + subject + "' not found.");
    }

    static RegistryException versionNotFound(String version) {
        return new RegistryException(404, 40402, "Version " + version + " not found.");
    }

    static RegistryException schemaNotFound() {
        return new RegistryException(404, 40403, "Schema not found");
    }

    static RegistryException subjectNotSoftDeleted(String subject) {
        return new RegistryException(
                404, 40405, "Subject '" + subject + "' was not deleted first before being permanently deleted");
    }

    static RegistryException versionNotSoftDeleted(String subject, int version) {
        return new RegistryException(
                404,
                40407,
                "Subject '" + subject + "' Version " + version
                        + " was not deleted first before being permanently deleted");
    }

    static RegistryException noOwnLevel(String subject) {
        return new RegistryException(
                404, 40408, "Subject '" + subject + "' does not have subject-level compatibility configured");
    }

    static RegistryException noOwnMode(String subject) {
        return new RegistryException(
                404, 40409, "Subject '" + subject + "' does not have subject-level mode configured");
    }

    static RegistryException incompatible(String subject, Object details) {
        return new RegistryException(
                409,
                409,
                "Schema being registered is incompatible with an earlier schema for subject \"" + subject
                        + "\", details: " + details);
    }

    static RegistryException invalidSchema(String why) {
        return new RegistryException(422, 42201, "Invalid schema: " + why);
    }

    static RegistryException invalidVersion(String version) {
        return new RegistryException(
                422,
                42202,
                "The specified version '" + version
                        + "' is not a valid version id. Allowed values are between [1, 2^31-1] and the string \"latest\"");
    }

    static RegistryException invalidLevel(String level) {
        return new RegistryException(
                422,
                42203,
                "Invalid compatibility level '" + level
                        + "'. Valid values are none, backward, forward, full, backward_transitive, forward_transitive, and full_transitive");
    }

    static RegistryException invalidMode(String mode) {
        return new RegistryException(
                422, 42204, "Invalid mode '" + mode + "'. Valid values are READWRITE and READONLY");
    }

    static RegistryException readOnly(String subject) {
        return new RegistryException(422, 42205, "Subject " + subject + " is in read-only mode");
    }

    static RegistryException invalidSubject(String subject) {
        return new RegistryException(422, 42208, "The specified subject '" + subject + "' is not a valid.");
    }
}
