/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is known of the begin of a trace file, as far as it has been walked and
 * is sound: where its events are by time, every POSITIONS_STEP of them, and
 * where its notes are.
 */
#ifndef FILE_POSITIONS_H
#define FILE_POSITIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- positions file ------------------------------------------------------- */

/*
 * The positions of a trace file, kept beside it for the next time, as
 * .FILE.positions in its directory.
 *
 * Nothing depends on such a file: it is believed only if it is whole, and if
 * the trace file has the size, the times of change and the inode that it had.
 * It is made beside one's own files only, and not while they may change.
 */

struct opener;			/* base/opener.h */
struct positions;		/* file/positions.h */

enum {
	POSITIONS_WORTH = 16 << 20,	/* bytes that need not be walked again,
					 * for which a file is made */
	POSITIONS_QUIET = 2,	/* s that a trace file has not changed */
};

/* by what a trace file is known to be the same */
struct positions_key {
	uint64_t size, changed, altered, inode;	/* mtime, ctime in ns */
};

struct positions_kept {
	bool may_be;		/* a file may be made */
	struct positions_key key;
	uint64_t known;		/* bytes up to the last position loaded */
};

/*
 * What is kept of the trace file at path to *p, which knows nothing yet; *k is
 * for positions_save().  Without a file that fits *p stays as it is.
 */
void positions_load(struct positions *p, struct positions_kept *k,
		    const char *path);

/*
 * Keeps what *p knows if it is worth it, and possible, by o if there is an
 * opener; if not, then not.
 */
void positions_save(const struct positions *p, const struct positions_kept *k,
		    const struct opener *o, const char *path);

/* where the positions of the file at path are, the caller's; NULL: no memory */
char *positions_path(const char *path);

/* --- positions ------------------------------------------------------------ */

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
