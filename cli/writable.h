/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which files a program that reads traces may make and write.  An opener, a
 * second process that knows their names, does it: the program itself may write
 * nowhere.
 */
#ifndef CLI_WRITABLE_H
#define CLI_WRITABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/opener.h"

/* --- writable names ------------------------------------------------------- */

/* Files that a program may make and write, and their names for the opener. */

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

/* whether a file is itself, and has no place where others are made */
bool writable_is_special(const char *path);

/* --- writable ------------------------------------------------------------- */

struct places;			/* confine/places.h */

/*
 * Starts an opener for all of them, if there are any; it ends when the socket
 * is closed, at the latest with this process.  Ends the program with a message
 * if it cannot be started.
 *
 * A link in place of a named file is followed wherever it leads.  One in a
 * folder, or one that only matches a pattern, is not followed out of the
 * directories that are allowed anyway: it may be somebody else's.
 */
struct opener writable_start(const struct writable *w, size_t count);

/* Allows those that the process can only open by itself: FIFOs, devices and
 * open files by their names. */
void writable_allow(struct places *p, const struct writable *w, size_t count);

#endif
