package io.myolotrain.core.model;

/** Why a request cannot be: the rule that it breaks, the value that breaks it, and what to do instead. */
public record Refusal(String rule, String value, String nextStep) {}
