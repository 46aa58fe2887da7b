/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program's way through its input: the progress line while it lasts, and
 * room for all other text that standard error gets.
 *
 * A loop asks reading_due() at each event, or each few, which is a decrement,
 * and shows the line when that says so.  As long as there may be a line, what
 * is written to stderr erases it first, so neither msg_warn() nor what it is
 * called from has to know of it.  What goes to the same terminal by another
 * way, such as standard output, is the program's to precede with
 * reading_erase().
 *
 * Begins as all zeros, with which all functions but reading_due() do nothing.
 */
#ifndef CLI_READING_H
#define CLI_READING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/hint.h"
#include "cli/progress.h"
#include "cli/set.h"

struct input;			/* run/input.h */

/* the row of the option, a bool of the program's options; a group may follow */
#define READING_OPTION(options, field) \
	.name = "no-progress", \
	.help = "no line on a terminal about how far the reading has come", \
	CLI_FLAG(options, field)

struct reading {
	struct progress_line line;
	unsigned int left;	/* calls until the next look at the clock */
	FILE *terminal;		/* stderr as it was; NULL: no line is shown */
};

/*
 * The reading begins.  wanted: by the options, and no text of the program's
 * goes to the terminal meanwhile.  *r stays where it is until reading_end().
 */
void reading_start(struct reading *r, bool wanted);

/* an event, or a few, have come; whether it is time for one of those below */
static inline bool reading_due(struct reading *r)
{
	return UNLIKELY(!--r->left);
}

/* shows the line if it is due; done and total as for progress_line_update() */
void reading_show(struct reading *r, uint64_t done, uint64_t total) COLD;

/* the same by input_progress() of in, all of whose files have been added */
void reading_show_input(struct reading *r, const struct input *in) COLD;

/* the line disappears until it is shown again */
void reading_erase(struct reading *r);

/* the reading has ended: the line disappears, stderr is what it was */
void reading_end(struct reading *r);

#endif
