/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file that is whole or not there: it is written beside its place, under a
 * name of its own, and takes the place when it is done.  Until then, and if
 * that never happens, what was there before stands.
 *
 * The name is .FILE.part-PID, in the same directory; PID is the process's.
 * A symbolic link is followed: what it leads to is replaced, not the link,
 * unless it leads nowhere.
 * What is no regular file (a FIFO, /dev/null) cannot be replaced and is written
 * to as it is.
 */
#ifndef BASE_PLACE_H
#define BASE_PLACE_H

struct opener;			/* base/opener.h */

struct place {
	const struct opener *opener;	/* by which; or NULL */
	char *path;		/* where it is to be */
	char *part;		/* where it is written; NULL: at path */
	int fd;			/* for writing; -1: there is no file */
};

/*
 * 0, or -errno: nothing has been made then, and *p is as place_discard()
 * leaves it.  A directory is -EISDIR.  With an opener, which outlives *p, the
 * names are path, what it leads to, and place_part() of both.
 */
int place_open(struct place *p, const struct opener *o, const char *path);

/* The name under which this process writes path until it is done, the caller's
 * to free; NULL: no memory. */
char *place_part(const char *path);

/*
 * What was written is on the disk, and at its place.  0, or -errno: then it is
 * gone, and what was there before stands.  *p has no file any more.
 */
int place_commit(struct place *p);

/* the same, but whether it is on the disk yet is not waited for */
int place_commit_soon(struct place *p);

/* closes and removes what was written; a *p without a file is fine */
void place_discard(struct place *p);

#endif
