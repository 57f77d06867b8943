package io.myolotrain.cli;

interface Placeholder {}
