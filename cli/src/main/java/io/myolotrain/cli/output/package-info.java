/** What people and programs see: tables, JSON, log configuration. */
@NullMarked
package io.myolotrain.cli.output;

import org.jspecify.annotations.NullMarked;
