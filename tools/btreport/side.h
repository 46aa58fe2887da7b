/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The traces that a page is about, read; of --compare each side by itself.
 */
#ifndef TOOLS_BTREPORT_SIDE_H
#define TOOLS_BTREPORT_SIDE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/traces.h"
#include "compare/side.h"
#include "report/gathering.h"

struct comparison;		/* compare/comparison.h */

enum { SIDE_GO_ON, SIDE_STOP, SIDE_STOP_NOW };	/* what *stop may be */

enum { SIDE_MEASURES = 2 };	/* that are compared: Q2C, D2C */

extern const unsigned int side_measures[SIDE_MEASURES];

struct side {
	const char *const *names;	/* the caller's, as is all up to */
	size_t count;
	struct gathering_options of;
	const struct host_wishes *hosts;	/* run/host_clocks.h */
	bool progress;
	const volatile sig_atomic_t *stop;
	enum compare_side nr;	/* and if it is compared, a comparison for each
				 * measure: */
	struct comparison *const *comparisons;	/* or NULL */

	struct traces in;
	struct gathering gathering;	/* ended */
	uint64_t stopped;	/* when a signal was seen, or 0 */
	bool live;		/* an input is a pipe */
};

/* Reads all of it; *s stays where it is.  What is wrong has been reported; ends
 * the program if a name means nothing. */
void side_read(struct side *s);

/*
 * Whether one of -d's devices is in one of these sides, which have been read;
 * prints which are not, and which devices there are.  True without -d, and of
 * sides that have no device at all, such as an empty pipe.
 */
bool sides_know_devices(const struct side *sides, unsigned int count);

void side_free(struct side *s);

#endif
