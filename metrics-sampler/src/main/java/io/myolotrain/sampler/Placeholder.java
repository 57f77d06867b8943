package io.myolotrain.sampler;

interface Placeholder {}
