/* SPDX-License-Identifier: GPL-2.0-only */
/* A row of stat/group; see group_row.h. */
#include <stdlib.h>

#include "stat/group_row.h"

static unsigned int measure_count(const struct group_options *o)
{
	return (unsigned int)__builtin_popcount(o->measures);
}

void group_row_free(const struct group_options *o, struct group_row *row)
{
	if (!row)
		return;
	for (unsigned int i = 0; row->histograms && i < measure_count(o); i++)
		histogram_free(&row->histograms[i]);
	if (row->depth)
		depth_free(row->depth);
	free(row->depth);
	free(row->histograms);
	free(row->least);
	free(row);
}

struct group_row *group_row_new(const struct group_options *o)
{
	unsigned int n = measure_count(o);
	struct group_row *row = calloc(1, sizeof(*row) + o->key_count *
						  sizeof(*row->keys));

	if (!row)
		return NULL;
	row->histograms = calloc(n + 1, sizeof(*row->histograms));
	if (o->places)
		row->least = calloc(2 * n + 1, sizeof(*row->least));
	if (o->depth)
		row->depth = calloc(1, sizeof(*row->depth));
	if (!row->histograms || (o->places && !row->least) ||
	    (o->depth && !row->depth)) {
		group_row_free(o, row);
		return NULL;
	}
	if (row->depth) {
		depth_init(row->depth, o->from, UINT64_MAX);
		row->depth->no_most = !o->depth_most;
	}
	row->greatest = row->least ? row->least + n : NULL;
	return row;
}

static void place_merge(struct group_row *to, const struct group_row *from,
			unsigned int slot)
{
	const struct histogram *a = &to->histograms[slot];
	const struct histogram *b = &from->histograms[slot];

	if (!to->least || !b->count)
		return;
	if (!a->count || b->min < a->min)
		to->least[slot] = from->least[slot];
	if (!a->count || b->max > a->max)
		to->greatest[slot] = from->greatest[slot];
}

int group_row_merge(const struct group_options *o, struct group_row *to,
		    const struct group_row *from)
{
	int err = 0;

	to->count += from->count;
	to->bytes += from->bytes;
	to->sized += from->sized;
	to->errors += from->errors;
	to->merged += from->merged;
	to->unmeasured += from->unmeasured;
	to->no_q += from->no_q;
	to->measured += from->measured;
	to->unsure += from->unsure;
	wide_join(&to->time, from->time);
	wide_join(&to->unsure_time, from->unsure_time);
	to->run.sequential += from->run.sequential;
	for (unsigned int i = 0; i < o->under_count; i++)
		to->under[i] += from->under[i];
	for (unsigned int i = 0; !err && i < measure_count(o); i++) {
		place_merge(to, from, i);
		err = histogram_merge(&to->histograms[i],
				      &from->histograms[i]);
	}
	return err;
}
