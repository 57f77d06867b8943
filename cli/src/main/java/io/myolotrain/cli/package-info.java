/**
 * The myolotrain command. Each command is a shell around topics and applications: it reads its options, does one thing,
 * prints a table for people or JSON for programs and returns a documented exit code.
 */
@NullMarked
package io.myolotrain.cli;

import org.jspecify.annotations.NullMarked;
