/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many I/Os of a run were measured, device by device.
 *
 * Parts of split I/Os are left out, as their parent is counted.  The kernel's
 * own flushes are not I/Os and are counted apart.
 */
#ifndef STAT_COVERAGE_H
#define STAT_COVERAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "request/io.h"
#include "stat/bounds.h"

/* I/Os open at a time */
struct coverage_open {
	uint64_t count;
	uint64_t age;		/* ns, of the oldest */
	uint64_t sector;
	enum io_op op;
	uint32_t pid;
	uint16_t origin;
};

struct coverage {
	uint64_t ios, flushes;
	uint64_t complete;	/* ended, with no records lost meanwhile */
	uint64_t no_q;		/* of these: without a Q */
	uint64_t open, lost, evicted, gap;	/* the others */
	struct bounds_seen seen;	/* complete I/Os; only fewest is set */
	struct bounds_seen seen_no_q;	/* of those without a Q */
	uint64_t unsure;	/* of complete: may have events of another */
	uint64_t loose;		/* not sure, start or end unknown */
	uint64_t reused;	/* requests, or I/Os without one, at the
				 * place and of the size of a recent one */
	uint32_t riders;	/* most I/Os in one request */
	struct coverage_open in_flight;	/* set by coverages_open() */
};

/* places remembered, of all devices */
enum { COVERAGE_PLACES = 4096 };

struct coverages {
	struct coverage *list;	/* by the device's id */
	uint32_t count;
	uint64_t *places;	/* last I/O of each cell */
};

/* a zeroed struct coverages is empty */
void coverages_free(struct coverages *c);

/* 0 or -ENOMEM */
int coverages_add(struct coverages *c, const struct io *io);

/*
 * An I/O open for age ns when the trace or window ended, or now.  0 or -ENOMEM.
 */
int coverages_open(struct coverages *c, const struct io *io, uint64_t age);

/* device: its id; zeroed for a device without I/Os */
struct coverage coverages_get(const struct coverages *c, uint32_t device);

/* adds from to *to */
void coverage_merge(struct coverage *to, const struct coverage *from);

/* Whether I/Os without a Q are incomplete: others had one.  In traces without
 * any Q they are measured from their first event. */
static inline bool coverage_needs_q(const struct coverage *c)
{
	return c->no_q < c->complete;
}

/* Whether io is not sure and lacks a start or end, which another may have. */
static inline bool coverage_is_loose(const struct io *io)
{
	return !io->sure && io->kind != IO_FLUSH && io->link != IO_SPLIT &&
	       (!io_completed(io) || io->gap ||
		(io->kind == IO_BIO && io->birth != 'Q'));
}

/* I/Os of which all records are missing, at most, with this many lost */
uint64_t coverage_gone(const struct coverage *c, uint64_t lost);

/*
 * Measured requests, or I/Os without one, that may have the completion of
 * another: at most half of the lost records, as each needs two, its own end and
 * the start of the other.  coverage_wrong() counts all I/Os in these requests.
 */
uint64_t coverage_astray(const struct coverage *c, uint64_t lost);
uint64_t coverage_wrong(const struct coverage *c, uint64_t lost);

/* measured I/Os */
uint64_t coverage_measured(const struct coverage *c);

#endif
