package io.myolotrain.core;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;

/** The core has no hidden inputs: everything that a decision depends on is in its arguments. */
@AnalyzeClasses(packages = "io.myolotrain.core", importOptions = ImportOption.DoNotIncludeTests.class)
class CorePurityTest {
    private static final Set<String> IMPURE_TYPES = Set.of(
            "java.time.Clock",
            "java.util.Random",
            "java.util.SplittableRandom",
            "java.util.concurrent.ThreadLocalRandom",
            "java.security.SecureRandom",
            "java.util.UUID",
            "java.util.Timer",
            "java.lang.Thread",
            "java.lang.ProcessHandle",
            "java.lang.Runtime");

    private static final Set<String> IMPURE_SYSTEM_CALLS = Set.of(
            "currentTimeMillis",
            "nanoTime",
            "getenv",
            "getProperty",
            "getProperties",
            "identityHashCode",
            "lineSeparator");

    @ArchTest
    static final ArchRule coreDependsOnTheJdkAndJSpecifyOnly = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("io.myolotrain.core..", "java..", "org.jspecify.annotations..");

    /** {@code accessTargetWhere} sees method references too; {@code callMethod} would miss {@code Instant::now}. */
    @ArchTest
    static final ArchRule coreReadsNoClockNoChanceAndNoEnvironment = noClasses()
            .should()
            .accessTargetWhere(describe("hidden input", (JavaAccess<?> access) -> isImpure(access.getTarget())));

    @ArchTest
    static final ArchRule coreTouchesNoFilesAndNoNetwork = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.io..", "java.nio.file..", "java.nio.channels..", "java.net..", "java.sql..");

    @ArchTest
    static final ArchRule packagesFormNoCycle =
            slices().matching("io.myolotrain.core.(*)..").should().beFreeOfCycles();

    private static boolean isImpure(AccessTarget target) {
        String owner = target.getOwner().getFullName();
        boolean now = owner.startsWith("java.time.") && target.getName().equals("now");
        boolean system = owner.equals("java.lang.System") && IMPURE_SYSTEM_CALLS.contains(target.getName());
        boolean locale = owner.equals("java.util.Locale") && target.getName().equals("getDefault");
        boolean unordered =
                owner.equals("java.util.Collection") && target.getName().equals("parallelStream");
        return now || system || locale || unordered || IMPURE_TYPES.contains(owner);
    }
}
