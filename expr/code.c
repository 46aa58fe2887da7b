/* SPDX-License-Identifier: GPL-2.0-only */
/* Expressions as steps; see code.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "expr/code.h"

enum { FIRST_STEPS = 8, ENDS = 2 };

/* The exit with this number, from 1; each step has two. */
static union expr_exit *exit_of(const struct expr_code *c, uint32_t number)
{
	return &c->steps[(number - 1) / 2].next[(number - 1) % 2];
}

static struct expr_exits join(const struct expr_code *c, struct expr_exits a,
			      struct expr_exits b)
{
	if (!a.first)
		return b;
	if (!b.first)
		return a;
	exit_of(c, a.last)->link = b.first;
	return (struct expr_exits){ a.first, b.last };
}

/* The links become numbers of steps. */
static void lead_to(const struct expr_code *c, struct expr_exits list,
		    uint32_t step)
{
	uint32_t next;

	for (uint32_t number = list.first; number; number = next) {
		next = exit_of(c, number)->link;
		exit_of(c, number)->link = step;
	}
}

static int reserve(struct expr_code *c)
{
	struct expr_step *more;

	if (c->error)
		return c->error;
	if (c->count >= EXPR_STEPS_MAX)
		return c->error = -E2BIG;
	more = array_reserve(c->steps, c->count, &c->size, FIRST_STEPS,
			     sizeof(*more));
	if (!more)
		return c->error = -ENOMEM;
	c->steps = more;
	return 0;
}

struct expr_part expr_code_add(struct expr_code *c,
			       const struct expr_step *step)
{
	uint32_t at = c->count, no = 2 * at + 1, yes = 2 * at + 2;

	if (reserve(c))
		return (struct expr_part){ 0 };
	c->steps[at] = *step;
	c->steps[at].next[0].link = c->steps[at].next[1].link = 0;
	c->count++;
	return (struct expr_part){ at, { { no, no }, { yes, yes } } };
}

/* Left's exits on one side lead to right, the others join right's. */
static struct expr_part chain(const struct expr_code *c, struct expr_part left,
			      struct expr_part right, bool side)
{
	lead_to(c, left.out[side], right.start);
	right.out[!side] = join(c, left.out[!side], right.out[!side]);
	right.start = left.start;
	return right;
}

struct expr_part expr_code_and(struct expr_code *c, struct expr_part left,
			       struct expr_part right)
{
	return c->error ? left : chain(c, left, right, true);
}

struct expr_part expr_code_or(struct expr_code *c, struct expr_part left,
			      struct expr_part right)
{
	return c->error ? left : chain(c, left, right, false);
}

struct expr_part expr_code_not(struct expr_part part)
{
	struct expr_exits no = part.out[0];

	part.out[0] = part.out[1];
	part.out[1] = no;
	return part;
}

int expr_code_finish(struct expr_code *c, struct expr_part whole)
{
	struct expr_step *steps;

	if (c->error)
		return c->error;
	/* the ends after the last step are never read, only pointed to */
	steps = array_resize(c->steps, c->count + ENDS, sizeof(*steps));
	if (!steps)
		return c->error = -ENOMEM;
	c->steps = steps;
	lead_to(c, whole.out[0], c->count);
	lead_to(c, whole.out[1], c->count + 1);
	for (struct expr_step *s = steps; s < steps + c->count; s++) {
		s->next[0].step = steps + s->next[0].link;
		s->next[1].step = steps + s->next[1].link;
	}
	return 0;
}

void expr_code_free(struct expr_code *c)
{
	free(c->steps);
	*c = (struct expr_code){ 0 };
}
