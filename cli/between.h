/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --between=A,B: the window from one mark of a trace to another.
 */
#ifndef CLI_BETWEEN_H
#define CLI_BETWEEN_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "run/window.h"

struct marks;			/* run/marks.h */

struct between {
	const char *text;	/* "A,B"; "A,": to the end; ",B": from the
				 * beginning.  A mark may have commas itself */
	const char *directory;	/* put in front of names; NULL: none */
	const char *const *names;	/* of the traces, no pipes */
	size_t count;
	const volatile sig_atomic_t *stop;	/* the reading is to end */
	bool progress;		/* the line about it is wanted */
};

enum { BETWEEN_WORDS = 1024 };	/* bytes of words, at most */

/*
 * From the first A up to the first B behind it, B itself not inside.
 * 1: *w is that; 0: *w is that, but A or B are there more than once; -1: they
 * are not there like that.  words: with 0 and -1 what is to be told.
 */
int between_window(struct window *w, const char *text, const struct marks *m,
		   char words[BETWEEN_WORDS]);

/* Reads the traces for it; the program ends, with a message, without one. */
struct window between_find(const struct between *b);

#endif
