/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long requests take while others of a kind are in flight, and otherwise,
 * by size class.
 *
 * Requests come in queueing order (recent.h).  A culprit lasts from its Q to
 * its C, but at most twice the median of its kind so far: in a stall both wait,
 * and neither for the other.  The median is of the first 64, then of every
 * eighth.
 *
 * Processes: the two with most bytes are followed from their first request on.
 * Every 64 requests a later one with more bytes takes the place of the lesser
 * of them, and starts from zero.
 */
#ifndef FINDINGS_BEHIND_H
#define FINDINGS_BEHIND_H

#include "base/histogram.h"
#include "findings/finding.h"
#include "findings/processes.h"
#include "findings/served.h"

/* --- times ---------------------------------------------------------------- */

/*
 * Times in the device by operation and size class, as histograms: percentiles
 * are at most 0.4% off.
 *
 * Medians are of the requests so far.  That of a kind is updated at each power
 * of two, and from 1,024 on every 1,024 requests; that of all after each eighth
 * more.
 */

struct times {
	struct histogram device[SERVED_OPS][SERVED_SIZES];	/* D2C */
	uint64_t medians[SERVED_OPS][SERVED_SIZES];	/* 0: unknown */
	uint64_t count;
	uint64_t usual;		/* the median of all, */
	uint64_t usual_count;	/* when their number was this */
	struct histogram all;	/* after the end: all classes */
};

/* an all-zero struct times has none */
void times_free(struct times *t);

/* a request with data; 0, or -ENOMEM */
int times_add(struct times *t, const struct served *s);

/* the median of a request's kind, or 0 with fewer than 10 */
uint64_t times_usual(const struct times *t, const struct served *s);

/* *usual is the median of all, or 0 without any; 0, or -ENOMEM */
int times_usual_of_all(struct times *t, uint64_t *usual);

/* no more: makes t->all; 0, or -ENOMEM */
int times_end(struct times *t);

/* of t->all: percentile p, in thousandths of a percent */
uint64_t times_percentile(const struct times *t, uint32_t p);

/* the middle of count numbers, the later of two */
uint64_t times_median(const struct histogram *h);

/* --- behind --------------------------------------------------------------- */

enum behind_what {
	BEHIND_WRITES,		/* of 64 KiB and more; reads wait */
	BEHIND_DISCARDS,	/* all others wait */
	BEHIND_PROCESSES,	/* reads of other processes wait */
	BEHIND_FOLLOWED = 2,
	BEHIND_WHATS = BEHIND_PROCESSES + BEHIND_FOLLOWED,
};

struct behind_kind {
	uint64_t count;
	uint64_t until;		/* end of the last of them */
	uint64_t usual;		/* ns, the median so far */
	struct histogram lengths;
	bool followed;		/* of processes: the place is used */
	uint32_t process;	/* the first of its name */
	struct histogram during[SERVED_SIZES], else_[SERVED_SIZES];
};

struct behind {
	struct behind_kind kinds[BEHIND_WHATS];
	uint32_t begun;		/* kinds with requests: bit 1 << kind */
	uint32_t followed;	/* number of processes, */
	uint32_t processes[BEHIND_FOLLOWED];	/* whose they are; or 0 */
	uint32_t ever;		/* as begun, with those dropped since */
	/* before the first request of a kind, all is else */
	struct histogram all[SERVED_OPS][SERVED_SIZES];
};

/* the size class with most requests, of those with a difference */
struct behind_proof {
	uint64_t during, else_;	/* medians, ns */
	uint64_t count;		/* of during */
};

void behind_free(struct behind *b);

/* the next request with data, in order of Q; 0, or -ENOMEM */
int behind_add(struct behind *b, const struct processes *p,
	       const struct served *s);

/*
 * Whether in any class with count requests on each side the median during is at
 * least ratio thousandths of the other, and more ns above it.
 */
bool behind_proves(const struct behind_kind *k, uint64_t count,
		   uint64_t ratio, uint64_t more, struct behind_proof *proof);

#endif
