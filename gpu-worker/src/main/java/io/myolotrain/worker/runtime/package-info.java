/** The worker process: plan mailbox, step loop, event reporting, health. */
@NullMarked
package io.myolotrain.worker.runtime;

import org.jspecify.annotations.NullMarked;
