/* SPDX-License-Identifier: GPL-2.0-only */
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
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
