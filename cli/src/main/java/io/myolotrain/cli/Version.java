package io.myolotrain.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The release as the jar's manifest tells it. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String release = Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
                .orElse("(development build)");
        return new String[] {"myolotrain " + release};
    }
}
