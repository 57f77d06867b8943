package io.myolotrain.cli.output;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.util.FileSize;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where log lines go. By default (logback.xml) warnings go to stderr; a component tells more, the demo tells its file. */
public final class Logging {
    private static final String PATTERN = "%d{HH:mm:ss.SSS} %-5level %logger{24} %msg %kvp%n%ex{12}%nopex";
    private static final long FILE_BYTES_MAX = 16L << 20;

    private Logging() {}

    /** For a component that runs alone: its own log lines on stderr. */
    public static void verboseOnStderr() {
        context().getLogger("io.myolotrain").setLevel(Level.INFO);
    }

    /** For the demo, whose terminal belongs to the progress line. */
    public static void toFile(Path file) {
        LoggerContext context = context();
        var encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(PATTERN);
        encoder.start();

        var appender = new RollingFileAppender<ILoggingEvent>();
        appender.setContext(context);
        appender.setName("FILE");
        appender.setFile(file.toString());
        appender.setEncoder(encoder);

        var rolling = new FixedWindowRollingPolicy();
        rolling.setContext(context);
        rolling.setParent(appender);
        rolling.setFileNamePattern(file + ".%i");
        rolling.setMinIndex(1);
        rolling.setMaxIndex(2);
        rolling.start();
        appender.setRollingPolicy(rolling);

        var trigger = new SizeBasedTriggeringPolicy<ILoggingEvent>();
        trigger.setContext(context);
        trigger.setMaxFileSize(new FileSize(FILE_BYTES_MAX));
        trigger.start();
        appender.setTriggeringPolicy(trigger);
        appender.start();

        var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.detachAndStopAllAppenders();
        root.addAppender(appender);
        verboseOnStderr(); // the level only: the appender is the file now
    }

    private static LoggerContext context() {
        return (LoggerContext) LoggerFactory.getILoggerFactory();
    }
}
