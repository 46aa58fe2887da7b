/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Faults: errors, requeued requests, I/Os that never completed, and stalls.
 *
 * The first 8 error numbers have a count each.  All I/Os in flight at the end
 * count; the times of 4,096 are kept.
 */
#ifndef FINDINGS_FAULTS_H
#define FINDINGS_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/histogram.h"
#include "findings/served.h"

/* --- faults --------------------------------------------------------------- */

struct io;			/* request/io.h */

enum { FAULTS_ERRORS = 8, FAULTS_OPEN = 4096 };

/* I/Os in flight at the end that a caller waits for: no parts, no flush
 * requests of the kernel */
struct open_ios {
	uint64_t count;
	uint64_t *times;	/* starts of the first FAULTS_OPEN, ns */
	size_t kept, size;
	uint64_t issued;	/* first issue to the device */
	uint64_t newest;	/* start of the last of them */
	/* the oldest */
	uint64_t oldest, sector;
	uint32_t pid;
	uint8_t op;		/* enum io_op */
};

struct faults {
	uint64_t completed;	/* ios of data and flushes; parts, not their
				 * parents */
	uint64_t measured;	/* of these, without losses meanwhile */
	uint64_t failed;
	struct fault {
		uint64_t count;
		uint16_t error;	/* 0: all others */
	} errors[FAULTS_ERRORS + 1];
	uint64_t first, last;	/* sectors: first, and after the last */
	uint64_t from, until;	/* when the first and the last failed */
	struct wide lost;	/* ns, by failed ones */

	uint64_t issues, requeues;
	struct wide requeued;	/* ns, from first D to last */

	uint64_t longest;	/* ns, of a completed io that is sure */
	uint64_t last_end;	/* of the completed ios; 0: of none */
	struct open_ios open;
};

void faults_free(struct faults *f);

/* any io; 0, or -ENOMEM */
int faults_add(struct faults *f, const struct io *io);

/* whether its error counts */
bool faults_failed(const struct io *io);

/* no more: sorts errors, most frequent first */
void faults_end(struct faults *f);

/* --- stalls --------------------------------------------------------------- */

/*
 * Times in which nothing completed though I/O was in flight.
 *
 * A gap is two completions of requests 20 ms apart.  Requests that waited in it
 * are known when they complete: each is compared with the gaps that it was open
 * in, newest first.  Kept are their number, the third oldest (whether three
 * waited long enough), and the first issue.
 *
 * At most 64 gaps are kept, the longest so far.  All is exact but the number of
 * waiters, which counts those queued 5 ms before the gap's end (a quarter of
 * the shortest stall).
 */

enum { STALLS_MAX = 64, STALLS_WAITERS = 3 };

struct stall_gap {
	uint64_t last;		/* completion before it */
	uint64_t next;		/* completion at its end */
	uint64_t issued;	/* first D of those completed later */
	uint64_t begun[STALLS_WAITERS];	/* the oldest of these, in order */
	uint64_t waiters;
	uint64_t waited;	/* ns, by all of them, within it */
	bool hole;		/* records were lost */
	bool open;		/* lasts to the trace's end */
};

struct stalls {
	struct stall_gap gaps[STALLS_MAX];	/* by time */
	uint32_t count;
	bool any;		/* something has completed */
	uint64_t last;		/* when */
};

/* the next completed request, in order */
void stalls_add(struct stalls *l, const struct served *s);

/* No more; open: in flight at the end.  The time since the last completion is a
 * gap, too. */
void stalls_end(struct stalls *l, const struct open_ios *open, uint64_t to);

/* start of the time without completions though I/O was in flight */
uint64_t stalls_from(const struct stall_gap *g);

/* whether it lasted least ns, with enough waiters */
bool stalls_is_one(const struct stall_gap *g, uint64_t least);

#endif
