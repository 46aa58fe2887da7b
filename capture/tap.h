/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The source of one CPU's records: a relay file for each device, or ftrace's
 * pipe for all.  Only the CPU's thread may open, read and close it: no other
 * may read a relay file while the CPU writes to it.
 */
#ifndef CAPTURE_TAP_H
#define CAPTURE_TAP_H

#include <poll.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hint.h"
#include "blktrace.h"

struct tap;

/* of records delivered together */
struct tap_sums {
	unsigned int records;	/* notes included */
	unsigned int completions;
	uint64_t completed;	/* bytes, by completions */
};

/* adds a completion to the sums of a record counted before; no note has the
 * number of C */
static inline void tap_sums_see(struct tap_sums *s, uint32_t action,
				uint32_t bytes)
{
	if (UNLIKELY((uint8_t)action == BLK_TA_COMPLETE)) {
		s->completions++;
		s->completed += bytes;
	}
}

/* one more */
static inline void tap_sums_add(struct tap_sums *s, uint32_t action,
				uint32_t bytes)
{
	s->records++;
	tap_sums_see(s, action, bytes);
}

/* whole records of one of the run's devices; 0, or -errno to end the reading */
typedef int tap_deliver(void *ctx, unsigned int device, const void *records,
			size_t len, const struct tap_sums *sums);

struct tap_ops {
	/* what to poll for reading: fills at most max, returns how many */
	unsigned int (*fds)(struct tap *t, struct pollfd *fds,
			    unsigned int max);
	/* reads all available records; 1: some; 0: none; -errno */
	int (*drain)(struct tap *t, tap_deliver *deliver, void *ctx);
	void (*close)(struct tap *t);
};

struct tap {
	const struct tap_ops *ops;
	unsigned int device;	/* after a failed drain: whose records */
	uint64_t lost_until;	/* ns: events lost before are counted; 0: all */
	/* ns: after a drain, records before are delivered; 0: all are */
	uint64_t until;
};

#endif
