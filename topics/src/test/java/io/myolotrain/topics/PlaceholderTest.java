package io.myolotrain.topics;

class PlaceholderTest {
    @org.junit.jupiter.api.Test
    void t() {}
}
