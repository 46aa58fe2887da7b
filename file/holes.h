/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Holes in sequence numbers: records that were made and never arrived.
 *
 * Numbers are followed in the order in which events are shown.  One that is
 * ahead leaves a hole behind it; one that comes late closes it again.  The
 * first to be shown need not be the lowest.
 *
 * 1.3.0: a number that was there before begins a new count.
 */
#ifndef FILE_HOLES_H
#define FILE_HOLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hole {
	uint32_t first, last;
};

struct holes {
	bool begun;
	bool starved;		/* one is not listed for want of memory */
	uint32_t first;		/* where the count begins */
	uint32_t next;		/* the number that follows in sequence */
	struct hole *list;	/* ascending, not touching each other */
	size_t count, size;
	uint64_t more;		/* holes not listed, for want of room */
	uint64_t missing;	/* numbers in all holes */
};

/* more holes than this are counted, not listed: late numbers do not fit in */
enum { HOLES_MAX = 4096 };

/* so far below the first a number is late; farther, it begins a new count */
enum { HOLES_EARLY = 1024 };

/* an all-zero struct holes has seen nothing */
void holes_free(struct holes *h);

/* an event with this number is shown; if it is the next, just count next up */
void holes_see(struct holes *h, uint32_t sequence);

#endif
