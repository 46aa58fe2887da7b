/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Expressions as steps.
 *
 * A step tests an I/O and continues with one of two later steps, or at the end.
 * Nearly every test is whether some bits of the record, as a number, are in a
 * range; whether the number is known is a test before it.
 *
 * Parts are joined by && || ! with open exits, which expr_code_finish() sets.
 */
#ifndef EXPR_CODE_H
#define EXPR_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EXPR_STEPS_MAX = 60000 };

/* the number that must be in the range */
enum expr_source {
	EXPR_RECORD,		/* eight bytes of the record */
	EXPR_AGE,		/* the I/O's age, or IO_NONE */
	EXPR_NAME,		/* result of name test number at: 1 or 0 */
};

union expr_exit {
	uint32_t link;		/* until finished: the number of the next exit
				 * in a list, from 1, or 0 */
	const struct expr_step *step;
};

struct expr_step {
	uint64_t mask;		/* of the eight bytes */
	uint64_t low, span;	/* yes: low to low + span */
	union expr_exit next[2];	/* no, yes */
	uint16_t at;		/* offset in struct io */
	uint8_t source;		/* enum expr_source */
	uint16_t block_unit;	/* not 0: mask depends on the size of a block,
				 * in units of so many bytes */
};

/* all zeros: empty */
struct expr_code {
	struct expr_step *steps;
	size_t size;
	uint32_t count;
	int error;		/* 0, -ENOMEM, or -E2BIG: too many steps, which
				 * are dropped */
};

/* exits to the same step, linked */
struct expr_exits {
	uint32_t first, last;
};

struct expr_part {
	uint32_t start;		/* its first step */
	struct expr_exits out[2];	/* no, yes */
};

/* a part of one step, without next; join parts in the order of adding */
struct expr_part expr_code_add(struct expr_code *c,
			       const struct expr_step *step);
struct expr_part expr_code_and(struct expr_code *c, struct expr_part left,
			       struct expr_part right);
struct expr_part expr_code_or(struct expr_code *c, struct expr_part left,
			      struct expr_part right);
struct expr_part expr_code_not(struct expr_part part);

/*
 * Finishes the whole expression, which starts at step 0 and ends at steps +
 * count (no) or steps + count + 1 (yes), which are no steps.  0, or the error.
 */
int expr_code_finish(struct expr_code *c, struct expr_part whole);

void expr_code_free(struct expr_code *c);

#endif
