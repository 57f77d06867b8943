package io.myolotrain.coordinator;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether a stream application that is upgraded from one topology to another finds its state again. Stores live in
 * changelog topics that carry the store's name, and in tasks that carry the number of their sub-topology; both are names
 * that a running cluster keeps.
 */
public final class TopologyUpgrade {
    private static final Pattern SUB_TOPOLOGY = Pattern.compile("\\s*Sub-topology: (\\d+).*");
    private static final Pattern TOPICS = Pattern.compile("\\s*Source: .*\\(topics: \\[(.*)]\\).*");
    private static final Pattern STORES = Pattern.compile("\\s*Processor: .*\\(stores: \\[(.*)]\\).*");
    private static final Pattern GENERATED = Pattern.compile("(KSTREAM|KTABLE)-[A-Z-]+-\\d{10}");
    private static final String NEXT_STEP =
            "; run the new release under an application id of its own and let it rebuild from the log";

    private final SortedMap<String, Integer> subTopologyByStore = new TreeMap<>();
    private final SortedMap<Integer, SortedSet<String>> topicsBySubTopology = new TreeMap<>();
    private final SortedSet<String> generatedNames = new TreeSet<>();

    private TopologyUpgrade(String description) {
        int current = -1;
        for (String line : description.lines().toList()) {
            Matcher subTopology = SUB_TOPOLOGY.matcher(line);
            Matcher topics = TOPICS.matcher(line);
            Matcher stores = STORES.matcher(line);
            Matcher generated = GENERATED.matcher(line);
            if (subTopology.matches()) {
                current = Integer.parseInt(subTopology.group(1));
            } else if (topics.matches()) {
                topicsBySubTopology
                        .computeIfAbsent(current, c -> new TreeSet<>())
                        .addAll(names(topics.group(1)));
            } else if (stores.matches()) {
                for (String store : names(stores.group(1))) {
                    subTopologyByStore.put(store, current);
                }
            }
            while (generated.find()) {
                generatedNames.add(generated.group());
            }
        }
    }

    private static List<String> names(String list) {
        return list.isBlank() ? List.of() : List.of(list.split(",\\s*"));
    }

    /** {@code Topology.describe()} of this release's coordinator, as it is on record; a test compares the two. */
    public static String thisRelease() {
        try (InputStream record = TopologyUpgrade.class.getResourceAsStream("topology.txt")) {
            if (record == null) {
                throw new IllegalStateException("the topology on record must be beside its class: topology.txt");
            }
            return new String(record.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether a text is a description at all. */
    public static boolean describes(String text) {
        return !new TopologyUpgrade(text).topicsBySubTopology.isEmpty();
    }

    /**
     * @param before {@code Topology.describe()} of the release that runs
     * @param after the same of the release that is to take over
     * @return rules that the upgrade breaks, with values and the next step; empty when it may go ahead
     */
    public static List<String> problems(String before, String after) {
        var older = new TopologyUpgrade(before);
        var newer = new TopologyUpgrade(after);
        var found = new ArrayList<String>();
        newer.generatedNames.forEach(name ->
                found.add("names must be fixed, a generated one shifts with every change: name=" + name + NEXT_STEP));
        older.subTopologyByStore.forEach((store, subTopology) -> {
            Integer now = newer.subTopologyByStore.get(store);
            if (now == null) {
                found.add("a store must keep its name, or its state starts empty: store=" + store + NEXT_STEP);
            } else if (!now.equals(subTopology)) {
                found.add("a store must stay in its sub-topology, or its tasks are others: store=" + store + " before="
                        + subTopology + " after=" + now + NEXT_STEP);
            }
        });
        older.topicsBySubTopology.forEach((subTopology, topics) -> {
            SortedSet<String> now = newer.topicsBySubTopology.getOrDefault(subTopology, new TreeSet<>());
            if (!now.equals(topics)) {
                found.add("a sub-topology must read the same topics while old and new instances share its tasks:"
                        + " sub-topology=" + subTopology + " before=" + topics + " after=" + now + NEXT_STEP);
            }
        });
        return found;
    }
}
