/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The positions of a trace file, kept beside it for the next time, as
 * .FILE.positions in its directory.
 *
 * Nothing depends on such a file: it is believed only if it is whole, and if
 * the trace file has the size, the times of change and the inode that it had.
 * It is made beside one's own files only, and not while they may change.
 */
#ifndef FILE_POSITIONS_FILE_H
#define FILE_POSITIONS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
