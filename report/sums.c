/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums of ios; see sums.h. */
#include "report/sums.h"

static inline int add_span(struct report_sums *s, const struct report_times *t,
			   enum report_span span)
{
	return t->has[span] ? histogram_add(&s->spans[span], t->spans[span]) :
			      0;
}

/* Without loops, which compilers would leave as they are. */
int report_sums_add(struct report_sums *s, const struct report_row *row,
		    const struct report_times *t)
{
	s->count++;
	s->blocks += row->blocks;
	if (report_op_is_data(row->op)) {
		s->data_count++;
		s->data_blocks += row->blocks;
	}
	s->errors += row->error != 0;
	s->merged += (row->flags & REPORT_MERGED) != 0;
	wide_add(&s->phases[0], t->phases[0]);
	wide_add(&s->phases[1], t->phases[1]);
	wide_add(&s->phases[2], t->phases[2]);
	wide_add(&s->phases[3], t->phases[3]);
	return add_span(s, t, REPORT_Q2C) | add_span(s, t, REPORT_D2C) |
	       add_span(s, t, REPORT_Q2D);
}

int report_sums_merge(struct report_sums *to, const struct report_sums *from)
{
	int err = 0;

	to->count += from->count;
	to->blocks += from->blocks;
	to->data_count += from->data_count;
	to->data_blocks += from->data_blocks;
	to->errors += from->errors;
	to->merged += from->merged;
	for (unsigned int i = 0; i < REPORT_PHASES; i++)
		wide_join(&to->phases[i], from->phases[i]);
	for (unsigned int i = 0; i < REPORT_SPANS; i++)
		err |= histogram_merge(&to->spans[i], &from->spans[i]);
	return err;
}

void report_sums_free(struct report_sums *s)
{
	for (unsigned int i = 0; i < REPORT_SPANS; i++)
		histogram_free(&s->spans[i]);
	*s = (struct report_sums){ .count = 0 };
}
