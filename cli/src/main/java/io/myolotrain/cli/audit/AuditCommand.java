package io.myolotrain.cli.audit;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "audit",
        description = "Checks the log, and an upgrade of what is kept of it, against the rules.",
        subcommands = {AuditReplayCommand.class, AuditTopologyCommand.class},
        footerHeading = "%nExamples:%n",
        footer = {"  myolotrain audit replay", "  myolotrain audit topology --from old-topology.txt"})
public final class AuditCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
