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

#endif
