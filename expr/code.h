/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Expressions as steps.
 *
 * A step asks one question of an io and goes on to one of two later steps, or
 * to the end.  Nearly every question is the same one: whether some bits of the
 * record, as a number, lie in a range.  What is not known becomes a question
 * of its own, asked first.
 *
 * Parts are joined by && || ! while it is not yet known where their exits
 * lead; expr_code_finish() says so for all.
 */
#ifndef EXPR_CODE_H
#define EXPR_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EXPR_STEPS_MAX = 60000 };

/* what the number is that must lie in the range */
enum expr_source {
	EXPR_RECORD,		/* eight bytes of the record */
	EXPR_AGE,		/* the io's age, or IO_NONE */
	EXPR_NAME,		/* 1 if name test number at holds, else 0 */
};

union expr_exit {
	uint32_t link;		/* until finished: one more than the number of
				 * the next exit of a list, or 0 */
	const struct expr_step *step;
};

struct expr_step {
	uint64_t mask;		/* of the eight bytes */
	uint64_t low, span;	/* yes: low to low + span */
	union expr_exit next[2];	/* no, yes */
	uint16_t at;		/* offset in struct io */
	uint8_t source;		/* enum expr_source */
	uint16_t block_unit;	/* mask is what a block, in units of so many
				 * bytes, has below its border; 0: it is not */
};

/* zeroed: nothing yet */
struct expr_code {
	struct expr_step *steps;
	size_t size;
	uint32_t count;
	int error;		/* 0, -ENOMEM, or -E2BIG: too many steps.  What
				 * is added after that is lost */
};

/* exits that lead to the same place, a list through their links */
struct expr_exits {
	uint32_t first, last;
};

struct expr_part {
	uint32_t start;		/* its first step */
	struct expr_exits out[2];	/* no, yes */
};

/* a part of one step, next not set; joining must be in the order of adding */
struct expr_part expr_code_add(struct expr_code *c,
			       const struct expr_step *step);
struct expr_part expr_code_and(struct expr_code *c, struct expr_part left,
			       struct expr_part right);
struct expr_part expr_code_or(struct expr_code *c, struct expr_part left,
			      struct expr_part right);
struct expr_part expr_code_not(struct expr_part part);

/*
 * whole is everything: it begins at step 0, and its exits lead to
 * steps + count (no) and steps + count + 1 (yes), which are not steps.
 * 0, or the error.
 */
int expr_code_finish(struct expr_code *c, struct expr_part whole);

void expr_code_free(struct expr_code *c);

#endif
