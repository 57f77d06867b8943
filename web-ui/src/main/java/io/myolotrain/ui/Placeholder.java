package io.myolotrain.ui;

interface Placeholder {}
