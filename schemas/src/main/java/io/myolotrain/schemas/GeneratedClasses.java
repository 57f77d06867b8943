package io.myolotrain.schemas;

import org.apache.avro.util.ClassSecurityValidator;

/** Avro instantiates no class that it was not told to trust: names in a schema from outside must not choose code to run. */
final class GeneratedClasses {
    private static final String PACKAGE = "io.myolotrain.schemas.avro.";

    static {
        ClassSecurityValidator.setGlobal(ClassSecurityValidator.composite(
                ClassSecurityValidator.getGlobal(), type -> type.getName().startsWith(PACKAGE)));
    }

    private GeneratedClasses() {}

    /** Once per process, by class initialisation. */
    static void trust() {}
}
