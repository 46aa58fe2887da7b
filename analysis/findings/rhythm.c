/* SPDX-License-Identifier: GPL-2.0-only */
/* Slow requests in clusters; see rhythm.h. */
#include "analysis/findings/rhythm.h"

static const uint64_t QUIET = 100000000;	/* ns */
enum { TIMES = 8 };		/* what is usual */

void rhythm_free(struct rhythm *r)
{
	histogram_free(&r->gaps);
}

/* the cluster in hand is over */
static int close_cluster(struct rhythm *r)
{
	int err = 0;

	if (r->clusters > 1 && r->first > r->before)
		err = histogram_add(&r->gaps, r->first - r->before);
	r->before = r->first;
	return err;
}

static int open_cluster(struct rhythm *r, uint64_t issued)
{
	int err = r->clusters ? close_cluster(r) : 0;

	r->clusters++;
	r->first = r->last = issued;
	return err;
}

int rhythm_add(struct rhythm *r, const struct served *s, uint64_t usual)
{
	uint64_t issued = s->at[SERVED_ISSUED], took = served_device_time(s);

	r->least = TIMES * usual > RHYTHM_SLOW ? TIMES * usual : RHYTHM_SLOW;
	if (took < r->least || !usual)
		return 0;
	r->slow++;
	r->lost += took - usual;
	if (!r->clusters || issued > r->last + QUIET)
		return open_cluster(r, issued);
	if (issued > r->last)
		r->last = issued;
	if (issued < r->first && issued + QUIET >= r->first)
		r->first = issued;
	return 0;
}

int rhythm_end(struct rhythm *r)
{
	return r->clusters ? close_cluster(r) : 0;
}

uint64_t rhythm_between(const struct rhythm *r, uint64_t low, uint64_t high)
{
	uint64_t count, sum = 0;
	int cell = -1;

	while (histogram_next(&r->gaps, &cell, &count)) {
		uint64_t a = histogram_cell_low((unsigned int)cell);
		uint64_t b = histogram_cell_high((unsigned int)cell);
		uint64_t middle = a + (b - a) / 2;

		if (middle >= low && middle <= high)
			sum += count;
	}
	return sum;
}
