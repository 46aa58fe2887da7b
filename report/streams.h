/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Streams: all ios of a device, an operation and a process.  Each filter, and
 * each row of a table, is a sum over streams.
 *
 * While ios come a stream's number stays.  In the end streams of one process
 * become one, and the smallest are folded: what is left has new numbers.
 */
#ifndef REPORT_STREAMS_H
#define REPORT_STREAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "report/row.h"

struct report_disks;		/* report/disks.h */
struct report_people;		/* report/people.h */

enum {
	/* while ios come; when there are more, those of further processes are
	 * folded at once */
	REPORT_STREAMS = 512,
	/* with these, which a process cannot use up: one for each device and
	 * operation, with and without Q */
	REPORT_STREAMS_ALL = REPORT_STREAMS + 2048,
};

/* the process of what was folded; and of a stream that is left out */
#define REPORT_OTHERS UINT32_MAX
#define REPORT_NO_STREAM UINT32_MAX

struct report_stream {
	uint32_t disk;		/* report_disks' number */
	uint8_t op;		/* enum report_op */
	bool no_q;		/* its ios began without one */
	uint32_t process;	/* report_people's number, or REPORT_OTHERS */
	uint64_t count;		/* ios */
};

struct report_streams {
	struct report_stream list[REPORT_STREAMS_ALL];
	uint32_t count;

	/* streams.c's */
	struct hash by_key;
	uint64_t last;		/* key of the last one, plus 1, */
	uint32_t last_number;	/* and its number */
};

void report_streams_free(struct report_streams *s);

/* The number of the stream that an io belongs to, who counts there; -ENOMEM. */
int64_t report_streams_add(struct report_streams *s, uint32_t disk, uint8_t op,
			   bool no_q, uint32_t process);

/* what streams become in the end */
struct report_folding {
	struct report_stream list[REPORT_STREAMS_ALL];
	uint32_t count;
	/* from the numbers before the last change to these, or none */
	uint32_t map[REPORT_STREAMS_ALL];
	uint32_t before;	/* how many these were */
};

/*
 * Streams of one process become one; p and d have ended.  Ios that began
 * without a Q are left out of devices that have any.  0 or -ENOMEM.
 */
int report_folding_make(struct report_folding *f,
			const struct report_streams *s,
			const struct report_people *p,
			const struct report_disks *d);

/* All but so many, the largest, are folded by device and operation; 0 or
 * -ENOMEM. */
int report_folding_fold(struct report_folding *f, uint32_t most);

/*
 * The processes of these, report_people's numbers, those with most ios first,
 * and REPORT_OTHERS last if there are any: an array of *count, which the caller
 * frees; NULL: no memory.
 */
uint32_t *report_folding_processes(const struct report_folding *f,
				   uint32_t *count);

#endif
