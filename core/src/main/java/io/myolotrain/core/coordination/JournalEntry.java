package io.myolotrain.core.coordination;

/**
 * One line of the log of truth.
 *
 * @param offset position in the pool's journal partition; grows, not necessarily by one
 * @param id producer-chosen event id; the sequencer lets each id pass once
 * @param atMs sequencer's wall clock when it ordered the event, Unix milliseconds
 */
public record JournalEntry(long offset, String id, long atMs, Event event) {}
