package io.myolotrain.topics;

class PlaceholderIT {
    @org.junit.jupiter.api.Test
    void t() {}
}
