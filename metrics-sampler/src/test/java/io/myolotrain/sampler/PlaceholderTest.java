package io.myolotrain.sampler;

class PlaceholderTest {
    @org.junit.jupiter.api.Test
    void t() {}
}
