package io.myolotrain.ui;

class PlaceholderIT {
    @org.junit.jupiter.api.Test
    void t() {}
}
