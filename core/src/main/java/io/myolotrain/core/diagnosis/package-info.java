/** Why a job stands still: what its plans and its workers' heartbeats say together. Pure; decides nothing. */
@NullMarked
package io.myolotrain.core.diagnosis;

import org.jspecify.annotations.NullMarked;
