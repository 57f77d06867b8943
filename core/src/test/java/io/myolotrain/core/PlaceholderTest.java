package io.myolotrain.core;

class PlaceholderTest {
    @org.junit.jupiter.api.Test
    void t() {}
}
