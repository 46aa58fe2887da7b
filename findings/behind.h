/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long requests take while others of a kind are under way, and else: by
 * size class, as large ones take longer.
 *
 * Requests are seen in the order in which they were queued (recent.h).  What
 * may be to blame lasts from its Q to its C, but no longer than twice what its
 * kind usually takes: in a stall both wait, and neither for the other.  What is
 * usual is that of those before, not of all; beyond 64 of each eighth.
 *
 * Processes: the two that move most bytes are followed, each from its first
 * request on; one that comes later and passes the lesser of them takes its
 * place, looked at every 64 requests, and what was before is not counted.
 */
#ifndef FINDINGS_BEHIND_H
#define FINDINGS_BEHIND_H

#include "base/histogram.h"
#include "findings/finding.h"
#include "findings/processes.h"
#include "findings/served.h"

/* --- times ---------------------------------------------------------------- */

/*
 * How long requests took, in classes of operation and size, so that each can
 * be measured by what is usual for its kind.
 *
 * Histograms: percentiles are 0.4 % off at most, whatever the trace's length.
 * What is usual is known when it is asked for: while ios pass it is that of
 * those before.  A kind's is brought up to date at each power of two, from
 * 1,024 on every 1,024 requests; that of all when there are an eighth more.
 */

struct times {
	struct histogram device[SERVED_OPS][SERVED_SIZES];	/* D2C */
	uint64_t medians[SERVED_OPS][SERVED_SIZES];	/* 0: not yet known */
	uint64_t count;
	uint64_t usual;		/* the median of all, when there were */
	uint64_t usual_count;	/* so many */
	struct histogram all;	/* of the end: all classes */
};

/* an all-zero struct times has none */
void times_free(struct times *t);

/* a request with data; 0, or -ENOMEM */
int times_add(struct times *t, const struct served *s);

/* what a request of its kind takes: its median, or 0 with less than 10 */
uint64_t times_usual(const struct times *t, const struct served *s);

/* *usual is what a request takes: the median of all, or 0 of none; 0, or
 * -ENOMEM */
int times_usual_of_all(struct times *t, uint64_t *usual);

/* all have come: makes t->all; 0, or -ENOMEM */
int times_end(struct times *t);

/* of t->all: percentile p, in thousandths of a percent */
uint64_t times_percentile(const struct times *t, uint32_t p);

/* the middle of count numbers, the later of two */
uint64_t times_median(const struct histogram *h);

/* --- behind --------------------------------------------------------------- */

enum behind_what {
	BEHIND_WRITES,		/* of 64 KiB and more; it is reads that wait */
	BEHIND_DISCARDS,	/* anything else waits */
	BEHIND_PROCESSES,	/* reads of others wait */
	BEHIND_FOLLOWED = 2,
	BEHIND_WHATS = BEHIND_PROCESSES + BEHIND_FOLLOWED,
};

struct behind_kind {
	uint64_t count;
	uint64_t until;		/* when the last of them is over */
	uint64_t usual;		/* ns, the median so far */
	struct histogram lengths;
	bool followed;		/* of processes: by whom it is used, */
	uint32_t process;	/* the first of its name */
	struct histogram during[SERVED_SIZES], else_[SERVED_SIZES];
};

struct behind {
	struct behind_kind kinds[BEHIND_WHATS];
	uint32_t begun;		/* kinds that have come: bit 1 << kind */
	uint32_t followed;	/* processes, */
	uint32_t processes[BEHIND_FOLLOWED];	/* whose they are; or 0 */
	uint32_t ever;		/* kinds that have come, also when they were
				 * forgotten since: bit 1 << kind */
	/* before there ever was any of a kind all is else */
	struct histogram all[SERVED_OPS][SERVED_SIZES];
};

/* the size class with most requests among those that show a difference */
struct behind_proof {
	uint64_t during, else_;	/* medians, ns */
	uint64_t count;		/* of during */
};

void behind_free(struct behind *b);

/* the next request with data, in order of Q; 0, or -ENOMEM */
int behind_add(struct behind *b, const struct processes *p,
	       const struct served *s);

/*
 * Whether in any class, each side with that many, the median is that many
 * thousandths of the other and so much more.
 */
bool behind_proves(const struct behind_kind *k, uint64_t count,
		   uint64_t ratio, uint64_t more, struct behind_proof *proof);

#endif
