package io.myolotrain.coordinator;

class PlaceholderIT {
    @org.junit.jupiter.api.Test
    void t() {}
}
