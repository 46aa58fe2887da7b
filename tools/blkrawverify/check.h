/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks the pieces of one CPU's file by rules, and dumps each fault with the
 * record before it.
 */
#ifndef TOOLS_BLKRAWVERIFY_CHECK_H
#define TOOLS_BLKRAWVERIFY_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "file/scan.h"

/* the lines of the summary, in order */
enum tally { TALLY_CPU, TALLY_SEQ, TALLY_DEV, TALLY_TIME, TALLIES };

/* further faults of a file are only counted */
enum { CHECK_DUMPS = 1000 };

struct check {
	FILE *out;		/* for dumps, or NULL */
	uint32_t cpu;		/* of the file */
	uint64_t valid, invalid;	/* notes are neither */
	uint64_t tallies[TALLIES];
	const char *first;	/* the first fault, or NULL */
	uint64_t first_at;	/* its byte */
	bool compared;		/* the three below are set */
	uint32_t sequence;	/* of the last valid record */
	uint64_t time;
	uint32_t device;
	bool shown;		/* previous is set: the last record or fault */
	struct piece previous;
};

/* at the first piece, all fields but out and cpu are 0 */
void check_piece(struct check *c, const struct piece *p);

/* prints the file's sums, and the number of faults not dumped, to c->out */
void check_summary(const struct check *c);

#endif
