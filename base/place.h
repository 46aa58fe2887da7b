/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file that is complete or absent: it is written as .FILE.part-PID in the
 * same directory, and renamed when it is complete.  Until then an earlier file
 * stays.
 *
 * The target of a symbolic link is replaced, or the link if it dangles.  A FIFO
 * or device is written directly.
 */
#ifndef BASE_PLACE_H
#define BASE_PLACE_H

#include <stdbool.h>

struct opener;			/* base/opener.h */

struct place {
	const struct opener *opener;	/* or NULL */
	char *path;		/* the final path */
	char *part;		/* written until then; NULL: path */
	int fd;			/* for writing; -1: no file */
};

/*
 * 0; or -errno (-EISDIR: a directory), with *p as after place_discard().  An
 * opener, or NULL, must outlive *p, and list path, its link's target, and
 * place_part() of both.
 */
int place_open(struct place *p, const struct opener *o, const char *path);

/* The path that this process writes until path is complete; the caller frees
 * it; NULL: no memory. */
char *place_part(const char *path);

/* whether it has the bytes of an earlier file, which can be read */
bool place_is_same(const struct place *p);

/*
 * Syncs, renames and closes the file.  0; or -errno: it is removed, and an
 * earlier file stays.
 */
int place_commit(struct place *p);

/* the same without syncing */
int place_commit_soon(struct place *p);

/* closes and removes the file; a *p without a file is fine */
void place_discard(struct place *p);

#endif
