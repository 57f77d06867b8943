package io.myolotrain.ui;

class PlaceholderTest {
    @org.junit.jupiter.api.Test
    void t() {}
}
