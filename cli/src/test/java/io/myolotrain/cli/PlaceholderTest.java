package io.myolotrain.cli;

class PlaceholderTest {
    @org.junit.jupiter.api.Test
    void t() {}
}
