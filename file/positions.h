/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is known of the begin of a trace file, as far as it has been walked and
 * is sound: where its events are by time, every POSITIONS_STEP of them, and
 * where its notes are.
 */
#ifndef FILE_POSITIONS_H
#define FILE_POSITIONS_H

#include <stddef.h>
#include <stdint.h>

/* a power of two, so that batches begin there */
enum { POSITIONS_STEP = 8192 };

/* of one file; more belong to no sound trace, and are -E2BIG */
enum { POSITIONS_NOTES_MAX = 1 << 20 };

struct position {
	uint64_t offset;	/* behind so many events, in bytes */
	uint64_t most, least;	/* times of all events before */
};

struct passed_note {
	uint64_t offset;	/* of its record, in bytes */
	uint64_t number;	/* events before it */
	uint64_t after;		/* the latest time before its batch */
};

struct positions {
	/* list[i] is behind (i + 1) * POSITIONS_STEP events */
	struct position *list;
	size_t count, size;
	struct passed_note *notes;	/* by offset */
	size_t note_count, note_size;
};

/* an all-zero struct positions knows nothing */
void positions_free(struct positions *p);

/* one more, behind all others; 0, -ENOMEM or -E2BIG */
int positions_add(struct positions *p, const struct position *at);
int positions_add_note(struct positions *p, const struct passed_note *note);

/*
 * Forgets what lies so far ahead that it is of no use for finding a time: from
 * the last position that stays, POSITIONS_STEP events and more are before the
 * time, if any position stays; all notes that stay are before that position.
 */
void positions_cut(struct positions *p, uint64_t time);

#endif
