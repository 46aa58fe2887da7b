/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The levels of a device: how many I/Os it had at a time, from Q to C.  Of each
 * level: for how long, how many completed out of it, and how long those took that
 * came to it.
 *
 * An I/O that completes counts at the level an eighth of its latency before.
 * Servers that started together complete together, and the level falls through
 * several values at once; but what they did was done while it was high.  Where
 * nothing happens at once, the level has hardly changed since.
 *
 * Levels from 16 share rows, eight for each power of two.  Time is dealt in slices
 * to eight groups, whose differences say how far a result may be wrong.
 *
 * Memory is 0.2 MiB and, of each row with I/Os, a histogram: at most 4 MiB.
 */
#ifndef CAPACITY_LEVELS_H
#define CAPACITY_LEVELS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/histogram.h"
#include "base/wide.h"
#include "capacity/servers.h"
#include "run/window.h"

struct io;			/* request/io.h */
struct levels;

enum {
	LEVELS_GROUPS = SERVERS_GROUPS,
	LEVELS_EXACT = 16,	/* rows of one level, from 0 */
	LEVELS_PARTS = 8,	/* of each power of two from there */
	LEVELS_ROWS = LEVELS_EXACT + 14 * LEVELS_PARTS,
	LEVELS_SLICE = 25	/* bits of its ns: 34 ms */
};

struct level {
	uint64_t time[LEVELS_GROUPS];	/* ns at it */
	struct wide area;		/* level times ns */
	uint64_t done[LEVELS_GROUPS];	/* completed out of it */
	uint64_t bytes;			/* of these */
	uint64_t came[LEVELS_GROUPS];	/* completed ones that came to it, */
	uint64_t slow[LEVELS_GROUPS];	/* took the target or longer */
	struct histogram latency;	/* of those that came: Q2C, ns */
	struct wide waited, served;	/* ns before and at the device, */
	uint64_t parted;		/* of this number of them */
};

/* what Little's law is about; sums of ns within the window */
struct levels_sums {
	uint64_t from, to;
	struct wide counted;	/* level times time, as counted, without those that
				 * were found to be parts of others */
	struct wide completed;	/* of completed I/Os */
	struct wide open;	/* of those open at the end, no older than the
				 * longest that completed */
	uint64_t ios;		/* completed in the window */
};

/* target: of latency, ns, or UINT64_MAX; 0 and *l, or -ENOMEM */
int levels_new(struct levels **l, const struct window *w, uint64_t target);

/* busy times of servers at the device; final at the end */
const struct servers *levels_servers(const struct levels *l);

/* as a struct level_watcher hears it (request/joiner.h); times never decrease */
uint32_t levels_come(struct levels *l, uint64_t time);
void levels_go(struct levels *l, uint64_t time, uint64_t came, bool absorbed);

/* Adds a record of the device, soon after it has gone.  0, -ENOMEM, -EOVERFLOW. */
int levels_add(struct levels *l, const struct io *io);

/* the trace, or the part of it that is read, ends; after all others */
void levels_end(struct levels *l, uint64_t end);

/* the row of a level; and its least and greatest level */
unsigned int levels_row(uint32_t level);
uint32_t levels_low(unsigned int row);
uint32_t levels_high(unsigned int row);

/* a row's level, or NULL: it had none */
const struct level *levels_at(const struct levels *l, unsigned int row);

/* its mean level */
double level_mean(const struct level *level, unsigned int row);
/* the sum of a number of each group */
uint64_t level_sum(const uint64_t numbers[LEVELS_GROUPS]);

void levels_sums(const struct levels *l, struct levels_sums *sums);

/* Little's law: whether completed I/Os explain all but 2% of the mean level, with
 * those in flight at the end. */
bool levels_little(const struct levels_sums *sums);

/* NULL is fine */
void levels_free(struct levels *l);

#endif
