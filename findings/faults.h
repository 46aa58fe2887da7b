/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What went wrong: errors, requests that were pushed back, and those that
 * never completed.
 *
 * Error numbers: the first 8 have a count each.  Of I/Os in flight at the
 * end all count, and the times of 4,096 are kept.
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

/* I/Os in flight at the end: those that callers wait for, so no parts, and no
 * flush requests of the kernel */
struct open_ios {
	uint64_t count;
	uint64_t *times;	/* when the first FAULTS_OPEN began, ns */
	size_t kept, size;
	uint64_t issued;	/* when the device got the first of them */
	uint64_t newest;	/* when the last of them began */
	/* the oldest */
	uint64_t oldest, sector;
	uint32_t pid;
	uint8_t op;		/* enum io_op */
};

struct faults {
	uint64_t completed;	/* ios of data and flushes; parts, not wholes */
	uint64_t measured;	/* of these, with nothing lost meanwhile */
	uint64_t failed;
	struct fault {
		uint64_t count;
		uint16_t error;	/* 0: all others */
	} errors[FAULTS_ERRORS + 1];
	uint64_t first, last;	/* sectors: of the first, behind the last */
	struct wide lost;	/* ns, by those that failed */

	uint64_t issues, requeues;
	struct wide requeued;	/* ns, from first D to last */

	uint64_t longest;	/* ns, of a completed io that is sure */
	uint64_t last_end;	/* of the completed ios; 0: of none */
	struct open_ios open;
};

void faults_free(struct faults *f);

/* any io; 0, or -ENOMEM */
int faults_add(struct faults *f, const struct io *io);

/* whether an error of this counts */
bool faults_failed(const struct io *io);

/* all have come: errors are then sorted, the most frequent first */
void faults_end(struct faults *f);

/* --- stalls --------------------------------------------------------------- */

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
