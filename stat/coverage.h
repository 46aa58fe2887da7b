/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How much of the ios of a run has been measured, device by device.
 *
 * Parts of split ios are in their whole, and the kernel's own flushes are no
 * ios: both are left out, the latter are counted apart.
 */
#ifndef STAT_COVERAGE_H
#define STAT_COVERAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "request/io.h"
#include "stat/bounds.h"

/* ios that are open at a time */
struct coverage_open {
	uint64_t count;
	uint64_t age;		/* ns, of the oldest; and more about it: */
	uint64_t sector;
	enum io_op op;
	uint32_t pid;
	uint16_t origin;
};

struct coverage {
	uint64_t ios, flushes;
	uint64_t complete;	/* ended, and no records were lost meanwhile */
	uint64_t no_q;		/* of these: they began without a Q */
	uint64_t open, lost, evicted, gap;	/* the others */
	struct bounds_seen seen;	/* by ios that were whole: only the fewest
				 * records that one left */
	struct bounds_seen seen_no_q;	/* the same by those without a Q */
	uint64_t unsure;	/* of complete: their events may be another's */
	uint64_t loose;		/* not sure, and without a beginning or end:
				 * another one may have these */
	uint64_t reused;	/* requests, or ios without one, where one of
				 * the last had been, of the same size */
	uint32_t riders;	/* ios that the largest of its requests had */
	struct coverage_open in_flight;	/* by coverages_open() */
};

/* places of ios, by device, that are remembered */
enum { COVERAGE_PLACES = 4096 };

struct coverages {
	struct coverage *list;	/* by the device's id */
	uint32_t count;
	uint64_t *places;	/* the last io's of each cell */
};

/* an all-zero struct coverages is empty */
void coverages_free(struct coverages *c);

/* 0 or -ENOMEM */
int coverages_add(struct coverages *c, const struct io *io);

/*
 * An io that is so old and open: when the trace ended, or a window that it goes
 * on after, or now.  0 or -ENOMEM.
 */
int coverages_open(struct coverages *c, const struct io *io, uint64_t age);

/* of a device by its id; of one without ios all-zero */
struct coverage coverages_get(const struct coverages *c, uint32_t device);

/* both together */
void coverage_merge(struct coverage *to, const struct coverage *from);

/*
 * Whether ios without a Q are not whole: others had one.  Of traces without
 * any the rest is measured.
 */
static inline bool coverage_needs_q(const struct coverage *c)
{
	return c->no_q < c->complete;
}

/* whether it shows that ios were paired wrongly: it is not sure, and without a
 * beginning or end, which another one may have */
static inline bool coverage_is_loose(const struct io *io)
{
	return !io->sure && io->kind != IO_FLUSH && io->link != IO_SPLIT &&
	       (!io_completed(io) || io->gap ||
		(io->kind == IO_BIO && io->birth != 'Q'));
}

/* how many are gone at most, without a trace, when so many records of the
 * device are lost */
uint64_t coverage_gone(const struct coverage *c, uint64_t lost);

/*
 * How many of the requests, or ios without one, that were measured have
 * another's end, though nothing shows it, at most: two records are lost for
 * each that got the end of a later one at its place, its own end and that one's
 * beginning.  And how many ios: with it go all that ride in its request.
 */
uint64_t coverage_astray(const struct coverage *c, uint64_t lost);
uint64_t coverage_wrong(const struct coverage *c, uint64_t lost);

/* how many were measured */
uint64_t coverage_measured(const struct coverage *c);

#endif
