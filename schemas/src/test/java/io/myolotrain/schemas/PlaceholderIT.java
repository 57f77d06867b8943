package io.myolotrain.schemas;

class PlaceholderIT {
    @org.junit.jupiter.api.Test
    void t() {}
}
