package io.myolotrain.worker;

class PlaceholderIT {
    @org.junit.jupiter.api.Test
    void t() {}
}
