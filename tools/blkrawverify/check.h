/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is wrong with the file of one CPU: piece after piece is held against
 * the rules, and each fault is dumped beside the record before it.
 */
#ifndef TOOLS_BLKRAWVERIFY_CHECK_H
#define TOOLS_BLKRAWVERIFY_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "file/scan.h"

/* what the summary has a line for, in its order */
enum tally { TALLY_CPU, TALLY_SEQ, TALLY_DEV, TALLY_TIME, TALLIES };

/* so many faults of a file are dumped, the others are counted */
enum { CHECK_DUMPS = 1000 };

struct check {
	FILE *out;		/* where dumps go, NULL: nowhere */
	uint32_t cpu;		/* whose file it is */
	uint64_t valid, invalid;	/* notes are neither */
	uint64_t tallies[TALLIES];
	const char *first;	/* the first fault, NULL: there is none */
	uint64_t first_at;	/* and its byte */
	bool compared;		/* the three below are those of a record */
	uint32_t sequence;	/* of the last valid record */
	uint64_t time;
	uint32_t device;
	bool shown;		/* previous is the last record, or fault */
	struct piece previous;
};

/* takes one more piece in; all fields but out and cpu begin as 0 */
void check_piece(struct check *c, const struct piece *p);

/* the file's sums, and how many faults were not dumped, to c->out */
void check_summary(const struct check *c);

#endif
