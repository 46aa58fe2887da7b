/* SPDX-License-Identifier: GPL-2.0-only */
/* --compare; see comparison.h. */
#include <errno.h>
#include <stdlib.h>

#include "emit/comparison.h"
#include "emit/comparison_rows.h"
#include "emit/comparison_text.h"

struct comparison {
	struct comparison_options options;
	struct compare *compare;
	const struct compare_result *result;	/* compare's */
};

int comparison_new(struct comparison **c, const struct comparison_options *o)
{
	int error;

	*c = calloc(1, sizeof(**c));
	if (!*c)
		return -ENOMEM;
	(*c)->options = *o;
	error = compare_new(&(*c)->compare, &o->compare);
	if (error)
		free(*c);
	return error;
}

int comparison_io(struct comparison *c, enum compare_side side,
		  unsigned int run, const struct io *io, uint64_t value)
{
	return compare_io(c->compare, side, run, io, value);
}

int comparison_histogram(struct comparison *c, enum compare_side side,
			 unsigned int run, enum io_op op, uint64_t from,
			 uint64_t until, const struct histogram *h)
{
	return compare_histogram(c->compare, side, run, op, from, until, h);
}

int comparison_end(struct comparison *c)
{
	return compare_end(c->compare, &c->result);
}

void comparison_get(const struct comparison *c, struct comparison_options *o,
		    const struct compare_result **r)
{
	*o = c->options;
	*r = c->result;
}

bool comparison_slower(const struct comparison *c)
{
	for (unsigned int i = 0; i < c->result->tables; i++) {
		const struct compare_table *t = &c->result->table[i];

		for (unsigned int row = 0; row < t->rows; row++)
			if (t->row[row].verdict == COMPARE_SLOWER)
				return true;
	}
	return false;
}

void comparison_print(const struct comparison *c, struct buf *b)
{
	comparison_text(&c->options, c->result, b);
}

void comparison_csv(const struct comparison *c, struct buf *b, bool heading)
{
	comparison_rows_csv(&c->options, c->result, b, heading);
}

void comparison_json(const struct comparison *c, struct buf *b)
{
	comparison_rows_json(&c->options, c->result, b);
}

void comparison_free(struct comparison *c)
{
	if (!c)
		return;
	compare_free(c->compare);
	free(c);
}
