/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The progress line of a program that reads its input, on standard error:
 *
 *	btt: 1.2 GiB of 3.4 GiB (35 %), 210.0 MiB/s, 0:10 left
 *
 * It appears after two seconds, changes at most four times a second, and is
 * erased at the end.  Only a terminal gets it.
 *
 * A loop calls reading_due(), a decrement, at every event or few, and shows the
 * line when that is true.  Text to stderr erases the line first; before other
 * text to the terminal, such as standard output, call reading_erase().
 *
 * With all zeros, all functions but reading_due() do nothing.
 */
#ifndef CLI_READING_H
#define CLI_READING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/hint.h"
#include "cli/set.h"

struct input;			/* run/input.h */

/* events between two looks at the clock, a power of 2 */
enum { PROGRESS_EVENTS = 4096 };

/* times are ns of time_now(), or a test's */
struct progress_line {
	int fd;			/* the terminal, or -1 */
	unsigned int width;	/* columns of the line; 0: none */
	uint64_t start;		/* of the work */
	uint64_t drawn;		/* time of the last drawing, or start */
};

/* standard error if it is a terminal and the line is wanted, else -1 */
int progress_fd(bool wanted);

void progress_line_start(struct progress_line *p, int fd, uint64_t now);

/*
 * Draws the line if it is due.  done: bytes read so far; total: of all bytes,
 * 0: unknown.  Gives up on a terminal that cannot be written to.
 */
void progress_line_update(struct progress_line *p, uint64_t done,
			  uint64_t total, uint64_t now);

/* erases the line until the next update that is due */
void progress_line_erase(struct progress_line *p);

/* the row of the option, a bool of the program's options; a group may follow */
#define READING_OPTION(options, field) \
	.name = "no-progress", \
	.help = "show no progress line on the terminal", \
	CLI_FLAG(options, field)

struct reading {
	struct progress_line line;
	unsigned int left;	/* calls until the next look at the clock */
	FILE *terminal;		/* the old stderr; NULL: no line */
};

/*
 * wanted: by the options, and because no other output of the program goes to
 * the terminal.  *r must not move until reading_end().
 */
void reading_start(struct reading *r, bool wanted);

/* whether it is time for one of the next two; call at every event or few */
static inline bool reading_due(struct reading *r)
{
	return UNLIKELY(!--r->left);
}

/* the next call of reading_due() is true */
static inline void reading_hurry(struct reading *r)
{
	r->left = 1;
}

/* shows the line if it is due; done and total as for progress_line_update() */
void reading_show(struct reading *r, uint64_t done, uint64_t total) COLD;

/* the same by input_progress() */
void reading_show_input(struct reading *r, const struct input *in) COLD;

/* erases the line until it is shown again */
void reading_erase(struct reading *r);

/* erases the line and restores stderr */
void reading_end(struct reading *r);

#endif
