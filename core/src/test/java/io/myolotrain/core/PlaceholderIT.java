package io.myolotrain.core;

class PlaceholderIT {
    @org.junit.jupiter.api.Test
    void t() {}
}
