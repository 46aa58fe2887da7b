/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which files the names of traces stand for: these may be read, and what is in
 * their directories may be listed.
 */
#ifndef CLI_READABLE_H
#define CLI_READABLE_H

#include <stdbool.h>
#include <stddef.h>

struct places;			/* confine/places.h */

/* what a name means; see file/location.h */
enum readable_meaning {
	READABLE_IN_TURN,	/* a directory sticks to names that follow */
	READABLE_BELOW,		/* absolute, or in the directory */
	READABLE_ALONE,		/* nothing sticks */
};

/* any pointer may be NULL: there is none */
struct readable {
	const char *directory;	/* put in front of names */
	const char *const *names;	/* as on the command line */
	size_t count;
	enum readable_meaning meaning;
	bool all;		/* and all devices of the directory */
	bool positions;		/* what is kept beside files is read, too, and
				 * made */
};

/* paths of positions, an all-zero struct has none */
struct readable_kept {
	char **list;
	size_t count;
};

/*
 * Allows to read all files of the traces, with cards, and what links of these
 * names lead to.  A name that is no trace's is a file's or a directory's.
 * "-" is nothing.  Files that appear later are not among them.
 *
 * *kept is what may be made beside the files, which the caller frees.
 */
void readable_allow(struct places *p, const struct readable *r,
		    struct readable_kept *kept);

void readable_kept_free(struct readable_kept *kept);

#endif
