/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The course of a device's I/O: latency by operation, and what each process did
 * and waited for, in bins of time.
 *
 * There are at most 256 bins, which double in width as the trace grows, from
 * 8.4 ms.  An I/O belongs to the bin it was queued in.  A stream is what the
 * processes of one name do by one operation.  The first 31 streams are told
 * apart; later ones count as one.
 */
#ifndef FINDINGS_COURSE_H
#define FINDINGS_COURSE_H

#include <stdbool.h>
#include <stdint.h>

#include "findings/processes.h"

struct io;			/* request/io.h */

enum {
	COURSE_BINS = 256,
	COURSE_STREAMS = 32,
	COURSE_LEVELS = 56,	/* of latency: two for each doubling, */
	COURSE_LOWEST = 12,	/* from 1 << 12 ns */
	COURSE_SHIFT = 23,	/* of the first bins: 8.4 ms */
};

enum course_op {
	COURSE_READ,
	COURSE_WRITE,
	COURSE_FLUSH,
	COURSE_DISCARD,
	COURSE_OPS
};

/* what an I/O waits for */
enum course_wait {
	COURSE_REQUEST,		/* Q2G */
	COURSE_PLUG,		/* G2I, G2M */
	COURSE_SCHEDULER,	/* I2D */
	COURSE_ISSUE,		/* G2D, M2D: no event tells these two apart */
	COURSE_FLUSHES,		/* before and after its data */
	COURSE_DEVICE,
	COURSE_WAITS
};

/* a stream in a bin */
struct course_cell {
	uint32_t count;
	uint32_t sequential;	/* start where the stream's last ended */
	uint64_t bytes;
	uint64_t waits[COURSE_WAITS];	/* ns, of all */
	uint64_t longest[COURSE_WAITS];	/* ns, of one */
};

struct course_stream {
	uint32_t process;	/* the first of its name; or PROCESSES_OTHERS */
	uint8_t op;		/* enum course_op; COURSE_OPS: several */
	uint64_t next;		/* sector after its last I/O */
	struct course_cell *cells;	/* COURSE_BINS */
};

/* an all-zero one is empty */
struct course {
	uint64_t begin;		/* of the first bin, ns */
	unsigned int shift;	/* each has 1 << shift ns; 0: none yet */
	uint32_t used;		/* the first of them */
	uint32_t stream_count;
	struct course_stream streams[COURSE_STREAMS];
	uint8_t of[PROCESSES_MAX][COURSE_OPS];	/* stream + 1; 0: none */
	uint32_t latency[COURSE_OPS][COURSE_BINS][COURSE_LEVELS];
	uint32_t depths[COURSE_BINS];	/* the greatest at the driver */
};

/* an I/O of process that ended; others than completed ones that a caller waits
 * for are ignored; 0, or -ENOMEM */
int course_add(struct course *c, const struct processes *p, uint32_t process,
	       const struct io *io);

/* the level of a latency in ns */
unsigned int course_level(uint64_t ns);

void course_free(struct course *c);

#endif
