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
#include "cli/set.h"

/* --- progress ------------------------------------------------------------- */

/*
 * How far a program has come with its input, as one line on a terminal:
 *
 *	btt: 1.2 GiB of 3.4 GiB (35 %), 210.0 MiB/s, 0:10 left
 *
 * The line comes when the work has taken two seconds, changes at most four
 * times a second, and is erased before any other text and at the end.  Only
 * a terminal gets it, so text in files and pipes never has any of it.
 *
 * Times are nanoseconds of a clock that never goes back, progress_now() or a
 * test's own.
 */

/* An event loop looks at the clock once in this many events, a power of 2. */
enum { PROGRESS_EVENTS = 4096 };

struct progress_line {
	int fd;			/* the terminal; -1: nothing is shown */
	unsigned int width;	/* columns that the line takes now; 0: none */
	uint64_t start;		/* when the work began */
	uint64_t drawn;		/* when the line was drawn last, or start */
};

/* Where the line goes: standard error if that is a terminal and the user wants
 * it, else -1. */
int progress_fd(bool wanted);

uint64_t progress_now(void);

/* The work begins; fd is progress_fd()'s. */
void progress_line_start(struct progress_line *p, int fd, uint64_t now);

/*
 * Draws the line if it is due.  done: bytes read so far; total: bytes that
 * there are, 0 if that is not known.  A terminal that cannot be written to is
 * not tried again.
 */
void progress_line_update(struct progress_line *p, uint64_t done,
			  uint64_t total, uint64_t now);

/* Before any other text goes to the terminal, and at the end of the work: the
 * line disappears, until the next update that is due. */
void progress_line_erase(struct progress_line *p);

/* --- reading -------------------------------------------------------------- */

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
