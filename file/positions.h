/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Positions in a trace file: where every POSITIONS_STEP'th event and each note
 * is, as far as the file was walked without finding damage.
 *
 * They are kept beside the trace file as .FILE.positions, which is only a
 * cache: it is ignored unless it is whole and the trace file still has the
 * recorded size, times and inode.  It is only made beside one's own files, and
 * not while these may change.
 */
#ifndef FILE_POSITIONS_H
#define FILE_POSITIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct opener;			/* base/opener.h */

enum {
	POSITIONS_STEP = 8192,	/* a power of two: batches start there */
	POSITIONS_NOTES_MAX = 1 << 20,	/* of one file; more are -E2BIG */
	POSITIONS_WORTH = 16 << 20,	/* newly walked bytes for which a
					 * cache is written */
	POSITIONS_QUIET = 2,	/* s for which a trace file has not changed */
};

struct position {
	uint64_t offset;	/* bytes */
	uint64_t most, least;	/* times of all events before */
};

struct passed_note {
	uint64_t offset;	/* of its record, in bytes */
	uint64_t number;	/* events before it */
	uint64_t after;		/* the latest time before its batch */
};

struct positions {
	/* list[i] is after (i + 1) * POSITIONS_STEP events */
	struct position *list;
	size_t count, size;
	struct passed_note *notes;	/* by offset */
	size_t note_count, note_size;
};

/* an all-zero struct positions is empty */
void positions_free(struct positions *p);

/* appends one; 0, -ENOMEM or -E2BIG */
int positions_add(struct positions *p, const struct position *at);
int positions_add_note(struct positions *p, const struct passed_note *note);

/*
 * Drops what cannot help to find a time: after the last position that stays,
 * if any, POSITIONS_STEP or more events are before the time, and all notes that
 * stay are before that position.
 */
void positions_cut(struct positions *p, uint64_t time);

/* identifies the state of a trace file */
struct positions_key {
	uint64_t size, changed, altered, inode;	/* mtime, ctime in ns */
};

struct positions_kept {
	bool may_be;		/* a cache may be written */
	struct positions_key key;
	uint64_t known;		/* bytes up to the last position loaded */
};

/*
 * Loads the cache of the trace file at path into *p, which is empty and stays
 * so if there is no valid cache; *k is for positions_save().
 */
void positions_load(struct positions *p, struct positions_kept *k,
		    const char *path);

/* Writes the cache, by o unless that is NULL, if it is worth it.  Failure is
 * ignored. */
void positions_save(const struct positions *p, const struct positions_kept *k,
		    const struct opener *o, const char *path);

/* the cache's path, which the caller frees; NULL: no memory */
char *positions_path(const char *path);

#endif
