package io.myolotrain.cli.bench;

import java.util.Map;
import java.util.function.Consumer;

/** One measurement. A figure that judges is a ratio against a baseline measured in the same run. */
interface Bench {
    String name();

    /** One line of help. */
    String about();

    /**
     * @param progress takes a line whenever there is something to tell a waiting person
     * @return figures in the order in which they are shown; units last in the keys
     */
    Map<String, Double> run(Consumer<String> progress) throws Exception;
}
