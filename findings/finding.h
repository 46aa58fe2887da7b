/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A finding: what a rule says of a device, as numbers.  findings/words makes
 * words of it.
 */
#ifndef FINDINGS_FINDING_H
#define FINDINGS_FINDING_H

#include <stdbool.h>
#include <stdint.h>

struct device;			/* run/device.h */

enum finding_rule {
	FINDING_LOST,
	FINDING_ERRORS,
	FINDING_STUCK,
	FINDING_STALL,
	FINDING_SLOW_REGION,
	FINDING_REQUEUED,
	FINDING_PERIODIC,
	FINDING_FLUSHES,
	FINDING_STARVED,
	FINDING_QUEUE_FULL,
	FINDING_SCHEDULER_HOLDS,
	FINDING_PLUG_HELD,
	FINDING_BEHIND_WRITES,
	FINDING_BEHIND_DISCARDS,
	FINDING_NEIGHBOUR,
	FINDING_SATURATION,
	FINDING_ONE_AT_A_TIME,
	FINDING_SMALL_SEQUENTIAL,
	FINDING_SPLIT,
	FINDING_ONE_CPU,
	FINDING_TAIL,
	FINDING_MISALIGNED,
	FINDING_WRITEBACK,
	FINDING_RULES
};

/* the gravest first */
enum finding_severity {
	FINDING_CAUTION,	/* of the trace, not of the device */
	FINDING_HIGH,
	FINDING_MEDIUM,
	FINDING_ADVICE,
	FINDING_INFO,
	FINDING_SEVERITIES
};

/* what the numbers of a finding are; each rule has some of them */
enum finding_number {
	FINDING_COUNT,		/* of these things */
	FINDING_OF,		/* of so many */
	FINDING_TIMES,		/* how often it happened */
	FINDING_REGULAR,	/* times that were as regular as asked for */
	FINDING_ALIKE,		/* CPUs that take part, times 1,000 */
	FINDING_IN_FLIGHT,	/* I/Os, at the end */
	FINDING_CPU,
	FINDING_CPUS,
	FINDING_SHARE,		/* thousandths */
	FINDING_OFTEN,		/* thousandths: of those that had to wait */
	FINDING_RATE,		/* a second, times 1,000 */
	FINDING_RATIO,		/* times 1,000 */
	FINDING_GAINED,		/* merges for each, times 1,000 */
	FINDING_FROM,		/* ns since the trace's first event */
	FINDING_UNTIL,
	FINDING_LOOK_FROM,	/* the same, with a little before and after */
	FINDING_LOOK_UNTIL,
	FINDING_QUIET,		/* from then on nothing completed */
	FINDING_LONGEST,	/* spans in ns */
	FINDING_AGE,		/* of the oldest in flight at the end */
	FINDING_EVERY,
	FINDING_SLOW,
	FINDING_USUAL,
	FINDING_RARE,		/* the 99.9th percentile */
	FINDING_LEAST,		/* what counts as slow here */
	FINDING_FIRST,		/* sectors */
	FINDING_LAST,
	FINDING_BYTES,
	FINDING_BLOCK,		/* bytes: the physical block */
	FINDING_LIMIT,		/* bytes: the greatest I/O of the queue */
	FINDING_MOST,		/* requests under way */
	FINDING_FEW,		/* fewer of them, that were enough */
	FINDING_OP,		/* enum io_op */
	FINDING_PID,		/* who did most of it, */
	FINDING_PID2,		/* and who came next */
	FINDING_CULPRIT,	/* pid: who is to blame */
	FINDING_ERRNO,		/* the most frequent errors, */
	FINDING_ERRNO2,
	FINDING_ERRNO3,
	FINDING_ERRORS1,	/* and how often each came */
	FINDING_ERRORS2,
	FINDING_ERRORS3,
	FINDING_NUMBERS
};

/* a number that is not there */
#define FINDING_NONE UINT64_MAX

enum finding_state {
	FINDING_FOUND,
	FINDING_SILENT,		/* another finding explains it */
	FINDING_ABSENT,		/* the evidence is too little, or against it */
	FINDING_STATES
};

struct finding {
	enum finding_rule rule;
	enum finding_severity severity;
	enum finding_state state;
	enum finding_rule because;	/* if silent: what was found instead */
	const struct device *disk;
	uint64_t time_lost;	/* ns that ios waited for it; of some rules 0 */
	uint64_t numbers[FINDING_NUMBERS];
};

static inline bool finding_has(const struct finding *f, enum finding_number n)
{
	return f->numbers[n] != FINDING_NONE;
}

#endif
