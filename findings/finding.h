/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A finding: the result of a rule for a device, as numbers.  findings/words
 * writes it as a sentence.
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
	FINDING_FLUSH_STORM,
	FINDING_THROTTLED,
	FINDING_DEPTH_CUT,
	FINDING_BURST,
	FINDING_SMALLER,
	FINDING_HELD,
	FINDING_SLOWER,
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

/* most severe first */
enum finding_severity {
	FINDING_CAUTION,	/* of the trace, not of the device */
	FINDING_HIGH,
	FINDING_MEDIUM,
	FINDING_ADVICE,
	FINDING_INFO,
	FINDING_SEVERITIES
};

/* the numbers of findings; each rule sets some of them */
enum finding_number {
	FINDING_COUNT,		/* events, */
	FINDING_OF,		/* out of these */
	FINDING_TIMES,		/* how often it happened */
	FINDING_REGULAR,	/* times that were regular enough */
	FINDING_ALIKE,		/* effective number of CPUs, times 1,000 */
	FINDING_IN_FLIGHT,	/* I/Os, at the end */
	FINDING_CPU,
	FINDING_CPUS,
	FINDING_SHARE,		/* thousandths */
	FINDING_OFTEN,		/* thousandths: of I/Os that waited */
	FINDING_RATE,		/* a second, times 1,000 */
	FINDING_RATE2,		/* the same, otherwise */
	FINDING_RATIO,		/* times 1,000 */
	FINDING_GAINED,		/* merges per request, times 1,000 */
	FINDING_FROM,		/* ns since the trace's first event */
	FINDING_UNTIL,
	FINDING_LOOK_FROM,	/* the same, with some time around it */
	FINDING_LOOK_UNTIL,
	FINDING_QUIET,		/* nothing completed from here */
	FINDING_LONGEST,	/* spans in ns */
	FINDING_AGE,		/* of the oldest I/O in flight at the end */
	FINDING_EVERY,
	FINDING_SLOW,
	FINDING_USUAL,
	FINDING_RARE,		/* the 99.9th percentile */
	FINDING_LEAST,		/* the least that is slow here */
	FINDING_FIRST,		/* sectors */
	FINDING_LAST,
	FINDING_BYTES,
	FINDING_BYTES2,		/* otherwise */
	FINDING_BLOCK,		/* bytes: the physical block */
	FINDING_LIMIT,		/* bytes: the largest I/O of the queue */
	FINDING_MOST,		/* requests in flight */
	FINDING_FEW,		/* fewer of them, which were enough */
	FINDING_OP,		/* enum io_op */
	FINDING_OP2,		/* of the process that causes it */
	FINDING_WAIT,		/* enum course_wait: what I/Os wait for */
	FINDING_PID,		/* the process with most of it, */
	FINDING_PID2,		/* and the next one */
	FINDING_CULPRIT,	/* pid of the process that causes it */
	FINDING_ERRNO,		/* the most frequent errors, */
	FINDING_ERRNO2,
	FINDING_ERRNO3,
	FINDING_ERRORS1,	/* and their counts */
	FINDING_ERRORS2,
	FINDING_ERRORS3,
	FINDING_NUMBERS
};

/* an unset number */
#define FINDING_NONE UINT64_MAX

enum finding_state {
	FINDING_FOUND,
	FINDING_SILENT,		/* another finding explains it */
	FINDING_ABSENT,		/* too little evidence, or none */
	FINDING_STATES
};

/* ns since the trace's first event */
struct finding_span {
	uint64_t from, until;
};

/* of the first ones when a finding is true */
enum { FINDING_SPANS = 8 };

struct finding {
	enum finding_rule rule;
	enum finding_severity severity;
	enum finding_state state;
	enum finding_rule because;	/* if silent: the finding instead */
	const struct device *disk;
	uint64_t time_lost;	/* ns that ios waited for it; or 0 */
	uint64_t numbers[FINDING_NUMBERS];
	struct finding_span spans[FINDING_SPANS];	/* in order */
	uint32_t span_count;	/* 0: it has no time */
};

static inline bool finding_has(const struct finding *f, enum finding_number n)
{
	return f->numbers[n] != FINDING_NONE;
}

/* facts about a device that are not in its ios; 0: none, or unknown */
struct findings_facts {
	uint64_t lost;		/* records, in all */
	uint64_t dropped;	/* those reported by the kernel, without a
				 * position */
	uint64_t missing;	/* unmeasured ios, at most */
	uint32_t largest;	/* bytes of a request: max_sectors_kb */
	uint32_t block;		/* bytes: the physical block size */
};

/* the name of a process, or NULL; good until the findings are freed */
typedef const char *findings_name(const void *names, uint16_t origin,
				  uint32_t pid);

#endif
