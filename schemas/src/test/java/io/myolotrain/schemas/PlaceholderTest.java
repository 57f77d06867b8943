package io.myolotrain.schemas;

class PlaceholderTest {
    @org.junit.jupiter.api.Test
    void t() {}
}
