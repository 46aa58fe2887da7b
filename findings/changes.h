/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Changes: when a device's I/O was slower than it usually is, and what else was
 * different then.
 *
 * Series are tested, one like the other: the median and the 90th percentile of
 * reads, writes and flushes, and the size of a stream's I/Os, each in bins of
 * time (findings/course.h).  Its usual value is the 35th percentile of its
 * bins, as a change may last for half of a trace.  A bin is odd if it exceeds
 * that by five times what bins usually differ, and at least threefold; beside an
 * odd bin, by half of that.  Odd bins next to each other are an episode, unless
 * chance alone makes as many I/Os slow more often than once in 10^9.
 *
 * What rose most in an episode, compared with bins that are not odd, is its
 * cause: the rate of a stream, else what its I/Os waited for.  Episodes of one
 * cause and one stream are one change.
 */
#ifndef FINDINGS_CHANGES_H
#define FINDINGS_CHANGES_H

#include <stdint.h>

#include "findings/course.h"
#include "findings/finding.h"

enum change_cause {
	CHANGE_NONE,
	CHANGE_FLUSHES,		/* more flushes */
	CHANGE_BURST,		/* more I/O of a stream */
	CHANGE_SMALLER,		/* the same in smaller I/Os, one by one */
	CHANGE_THROTTLED,	/* I/Os wait for a request */
	CHANGE_DEPTH,		/* the device accepts fewer */
	CHANGE_HELD,		/* requests are not issued */
	CHANGE_SLOWER,		/* the device takes longer */
	CHANGE_CAUSES
};

enum { CHANGES_MAX = 16 };

struct change {
	enum change_cause cause;
	struct finding_span spans[FINDING_SPANS];	/* the first ones */
	uint32_t times;		/* all */
	const struct course_stream *culprit;	/* or NULL */
	const struct course_stream *victim;	/* whose I/O waits most for it, */
	uint32_t share;		/* thousandths of excess that are its */
	uint64_t excess;	/* ns, of all I/Os beyond what is usual, */
	uint64_t excesses[COURSE_WAITS];	/* and of each wait */
	uint64_t longest[COURSE_WAITS];	/* ns, in one I/O of victim */
	uint64_t slow, usual;	/* ns, means of victim: then, otherwise */
	uint64_t rate, rate_else;	/* of culprit, else victim: I/Os a
					 * second times 1,000 */
	uint64_t size, size_else;	/* bytes of one, the same */
	uint32_t depth, depth_else;	/* at the driver, mean of bins' most */
};

struct changes {
	struct change list[CHANGES_MAX];	/* most excess first */
	uint32_t count;
};

/* what stands out in c; 0, or -ENOMEM.  Streams are c's own. */
int changes_find(struct changes *found, const struct course *c);

/* What I/Os wait for: the longest of waits with a fifth of all excess. */
enum course_wait change_wait(const struct change *c);

/* the one of that cause with most excess, or NULL */
const struct change *changes_of(const struct changes *found,
				enum change_cause cause);

#endif
