package io.myolotrain.coordinator;

/**
 * Why a record is not let in.
 *
 * @param detail rule and values, for the person who reads the dead letter
 */
record Rejection(Rule rule, String detail) {

    /** The rule that a record breaks; labels are part of the health page. */
    enum Rule {
        TOMBSTONE("tombstone"),
        TOO_LARGE("tooLarge"),
        FUTURE("future"),
        KEY("key"),
        UNREADABLE("unreadable"),
        POOLS("pools"),
        UNDECIDABLE("undecidable");

        private final String label;

        Rule(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }
}
