package io.myolotrain.worker;

class PlaceholderTest {
    @org.junit.jupiter.api.Test
    void t() {}
}
