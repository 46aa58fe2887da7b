/* SPDX-License-Identifier: GPL-2.0-only */
/* Files that a program may make and write, and the names that an opener is told
 * of them. */
#ifndef CLI_WRITABLE_NAMES_H
#define CLI_WRITABLE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/opener.h"

enum writable_kind {
	WRITABLE_FILE,		/* one, also as base/place.h makes it; "-" is
				 * standard output, and none */
	WRITABLE_EXACT,		/* one, whatever it is called */
	WRITABLE_PLAIN,		/* one that is no link */
	WRITABLE_BEGIN,		/* those whose names begin and end so */
	WRITABLE_TREES,		/* directories whose names begin so, and all
				 * below them */
	WRITABLE_FOLDER,	/* a directory, which may still have to be
				 * made, and all below it */
};

struct writable {
	enum writable_kind kind;
	const char *name;	/* NULL: there is none */
	/* of those that begin so: NULL is "" */
	const char *end;
	const char *has;	/* somewhere between them */
};

/* an all-zero struct has none; each name's begin is owned */
struct writable_names {
	struct opener_name *list;
	size_t count;
};

/* Adds all names of one; ends the program if there is no memory. */
void writable_names_add(struct writable_names *n, const struct writable *w);

void writable_names_free(struct writable_names *n);

/* whether a file is itself, and has no place where others are made */
bool writable_is_special(const char *path);

/* whether the process can only open it by itself: that, a FIFO or a device */
bool writable_is_own(const char *path);

#endif
