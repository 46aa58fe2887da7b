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
				 * start.  A mark may have commas itself */
	const char *directory;	/* prepended to names; or NULL */
	const char *const *names;	/* of the traces, no pipes */
	size_t count;
	const volatile sig_atomic_t *stop;	/* ends the reading */
	bool progress;		/* show the progress line */
};

enum { BETWEEN_WORDS = 1024 };	/* bytes of a message */

/*
 * From the first A up to the first B after it, without B.  1: *w is set; 0: *w
 * is set, but A or B is ambiguous; -1: A or B is missing.  words: the message
 * of 0 and -1.
 */
int between_window(struct window *w, const char *text, const struct marks *m,
		   char words[BETWEEN_WORDS]);

/* Reads the traces; without the marks, ends the program with a message. */
struct window between_find(const struct between *b);

#endif
