package io.myolotrain.coordinator;

interface Placeholder {}
