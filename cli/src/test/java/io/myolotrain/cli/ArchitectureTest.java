package io.myolotrain.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The arrows of the house, over all modules. */
@AnalyzeClasses(packages = "io.myolotrain", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String COORDINATOR = "io.myolotrain.coordinator..";
    private static final String WORKER = "io.myolotrain.worker..";
    private static final String SAMPLER = "io.myolotrain.sampler..";
    private static final String UI = "io.myolotrain.ui..";
    private static final String CLI = "io.myolotrain.cli..";

    @ArchTest
    static final ArchRule coordinatorKnowsNoOtherApplication = noClasses()
            .that()
            .resideInAPackage(COORDINATOR)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(WORKER, SAMPLER, UI, CLI);

    @ArchTest
    static final ArchRule workerKnowsNoOtherApplication = noClasses()
            .that()
            .resideInAPackage(WORKER)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(COORDINATOR, SAMPLER, UI, CLI);

    @ArchTest
    static final ArchRule samplerKnowsNoOtherApplication = noClasses()
            .that()
            .resideInAPackage(SAMPLER)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(COORDINATOR, WORKER, UI, CLI);

    @ArchTest
    static final ArchRule uiKnowsNoOtherApplication = noClasses()
            .that()
            .resideInAPackage(UI)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(COORDINATOR, WORKER, SAMPLER, CLI);

    @ArchTest
    static final ArchRule coreKnowsTheJdkOnly = classes()
            .that()
            .resideInAPackage("io.myolotrain.core..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("io.myolotrain.core..", "java..", "org.jspecify..");

    @ArchTest
    static final ArchRule generatedRecordsStopInTopics = noClasses()
            .that()
            .resideOutsideOfPackages("io.myolotrain.schemas..", "io.myolotrain.topics..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.myolotrain.schemas.avro..");

    @ArchTest
    static final ArchRule topicsKnowNoApplication = noClasses()
            .that()
            .resideInAnyPackage("io.myolotrain.topics..", "io.myolotrain.schemas..", "io.myolotrain.core..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(COORDINATOR, WORKER, SAMPLER, UI, CLI);

    @ArchTest
    static final ArchRule onlyTheWorkerTouchesLibTorch = noClasses()
            .that()
            .resideOutsideOfPackages(WORKER)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.bytedeco..");

    @ArchTest
    static final ArchRule noRoomIsCalledCommonOrUtil =
            noClasses().should().resideInAnyPackage("..util..", "..utils..", "..common..", "..helper..", "..helpers..");

    @ArchTest
    static final ArchRule nothingIsCalledManager = noClasses()
            .should()
            .haveSimpleNameEndingWith("Manager")
            .orShould()
            .haveSimpleNameEndingWith("Util")
            .orShould()
            .haveSimpleNameEndingWith("Utils")
            .orShould()
            .haveSimpleNameEndingWith("Helper");
}
