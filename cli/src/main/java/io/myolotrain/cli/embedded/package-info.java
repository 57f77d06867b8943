/** The broker and the registry that run inside the demo's process, with their data under one directory. */
@NullMarked
package io.myolotrain.cli.embedded;

import org.jspecify.annotations.NullMarked;
