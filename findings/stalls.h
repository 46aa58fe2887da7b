/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Times in which nothing completed though something was under way.
 *
 * A gap is kept when two completions of requests are 20 ms apart.  Who waited
 * in it is seen later, when it completes: each request is looked at beside the
 * gaps that it was open in, the newest first.  What is needed of these is how
 * many, the third oldest (whether three waited long enough), and the first to
 * be issued.
 *
 * At most 64 gaps are kept; the least, by what is known so far, goes.  All is
 * exact then but for the number in the sentence, which counts those that were
 * queued 5 ms before the gap's end (a quarter of the least that is a stall).
 */
#ifndef FINDINGS_STALLS_H
#define FINDINGS_STALLS_H

#include "findings/faults.h"
#include "findings/served.h"

enum { STALLS_MAX = 64, STALLS_WAITERS = 3 };

struct stall_gap {
	uint64_t last;		/* completion before it */
	uint64_t next;		/* completion at its end */
	uint64_t issued;	/* first D of those that completed later */
	uint64_t begun[STALLS_WAITERS];	/* the oldest of these, ascending */
	uint64_t waiters;
	uint64_t waited;	/* ns, by all of them, within it */
	bool hole;		/* records were lost */
	bool open;		/* it lasts to the trace's end */
};

struct stalls {
	struct stall_gap gaps[STALLS_MAX];	/* by time */
	uint32_t count;
	bool any;		/* something has completed */
	uint64_t last;		/* when */
};

/* the next request that completed, in that order */
void stalls_add(struct stalls *l, const struct served *s);

/* All have come; those were in flight at the end: the time since the last
 * completion is a gap, too. */
void stalls_end(struct stalls *l, const struct open_ios *open, uint64_t to);

/* from when on nothing completed though something was under way */
uint64_t stalls_from(const struct stall_gap *g);

/* whether it took so long with enough waiting */
bool stalls_is_one(const struct stall_gap *g, uint64_t least);

#endif
