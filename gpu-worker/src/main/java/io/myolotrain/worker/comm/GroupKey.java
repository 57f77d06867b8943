package io.myolotrain.worker.comm;

import io.myolotrain.core.model.Generation;
import io.myolotrain.core.model.JobId;

/** Names one group of ranks for ever: nothing left over from another run, attempt or generation can be taken for it. */
public record GroupKey(JobId job, String attempt, Generation generation) {
    public GroupKey {
        if (attempt.isEmpty() || attempt.length() > 128 || attempt.indexOf('/') >= 0) {
            throw new IllegalArgumentException("attempt must have 1 to 128 characters, none of them '/': " + attempt);
        }
    }

    @Override
    public String toString() {
        return job + "/" + attempt + "/" + generation;
    }
}
