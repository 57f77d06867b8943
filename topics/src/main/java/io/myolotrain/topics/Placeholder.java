package io.myolotrain.topics;

interface Placeholder {}
