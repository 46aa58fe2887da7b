/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What went wrong: errors, requests that were pushed back, and those that
 * never completed.
 *
 * Error numbers: the first 8 that come are told apart.  Requests without an
 * end: the first 4,096 of them, which are the oldest.
 */
#ifndef ANALYSIS_FINDINGS_FAULTS_H
#define ANALYSIS_FINDINGS_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/histogram.h"

struct io;			/* request/io.h */

enum { FAULTS_ERRORS = 8, FAULTS_OPEN = 4096 };

struct faults {
	uint64_t completed;	/* ios of data and flushes; parts, not wholes */
	uint64_t measured;	/* of these, with nothing lost meanwhile */
	uint64_t failed;
	struct fault {
		uint64_t count;
		uint16_t error;	/* 0: all others */
	} errors[FAULTS_ERRORS + 1];
	uint64_t first, last;	/* sectors: of the first, behind the last */
	histogram_sum lost;	/* ns, by those that failed */

	uint64_t issues, requeues;
	histogram_sum requeued;	/* ns, from first D to last */

	uint64_t *open;		/* when they were issued */
	size_t open_count, open_size;
};

void faults_free(struct faults *f);

/* any io; 0, or -ENOMEM */
int faults_add(struct faults *f, const struct io *io);

/* whether an error of this counts */
bool faults_failed(const struct io *io);

/* all have come: errors are then sorted, the most frequent first */
void faults_end(struct faults *f);

#endif
