package io.myolotrain.cli;

class PlaceholderIT {
    @org.junit.jupiter.api.Test
    void t() {}
}
