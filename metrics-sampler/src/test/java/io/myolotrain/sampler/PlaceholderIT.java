package io.myolotrain.sampler;

class PlaceholderIT {
    @org.junit.jupiter.api.Test
    void t() {}
}
