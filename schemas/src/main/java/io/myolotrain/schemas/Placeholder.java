package io.myolotrain.schemas;

interface Placeholder {}
