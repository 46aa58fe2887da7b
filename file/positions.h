/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds where a stream has to start in one CPU's file to skip all events before
 * a time, and remembers positions on the way.
 *
 * Walks from header to header, much cheaper than a stream, and refuses a file
 * in which a stream would have something to report: it takes only undamaged
 * records of versions 7 and 8, in this machine's byte order, of the expected
 * CPU.
 *
 * Positions are those of every POSITIONS_STEP'th event and of each note, kept
 * beside the trace file as .FILE.positions.  This is a cache: it is ignored
 * unless it is whole and the trace file still has the recorded size, times and
 * inode, and only made beside one's own files that do not change.
 */
#ifndef FILE_POSITIONS_H
#define FILE_POSITIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pack/format.h"

struct opener;			/* base/opener.h */

enum {
	POSITIONS_STEP = PACK_EVENTS,	/* a power of two: batches start there,
					 * and packed blocks */
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

struct walk_options {
	const char *path;
	int cpu;		/* as struct stream_options has it */
	uint32_t batch;		/* of the stream, at least 1 */
	uint64_t time;		/* ns, the tracing machine's clock */
};

/* the events before the time */
struct landing {
	uint64_t events;	/* their number */
	uint64_t last, most, least;	/* time of the last; latest, earliest */
	/* the stream's batch that has the last one: */
	uint64_t batch_at;	/* offset of its first byte */
	uint64_t batch_first;	/* events before it */
	uint64_t batch_after;	/* their latest time, when it is read */
};

/*
 * Walks on from the last of *p, and adds to it.  If *p is not empty, o->batch
 * must be STREAM_BATCH.
 *
 * 0 and *to; -EINVAL: the file cannot be walked; or -errno.
 */
int walk_file(const struct walk_options *o, struct positions *p,
	      struct landing *to);

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
 * Fills *p, which is empty, for a file in a packed one, whose blocks have all
 * that is needed; else leaves it empty.  Call after positions_load().  cpu is as
 * struct stream_options has it.
 */
void positions_unpack(struct positions *p, struct positions_kept *k,
		      const char *path, int cpu);

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
