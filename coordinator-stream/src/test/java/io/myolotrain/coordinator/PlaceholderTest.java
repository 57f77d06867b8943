package io.myolotrain.coordinator;

class PlaceholderTest {
    @org.junit.jupiter.api.Test
    void t() {}
}
