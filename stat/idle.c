/* SPDX-License-Identifier: GPL-2.0-only */
/* Time without any interval; see idle.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "stat/idle.h"

void idle_init(struct idle *i, uint64_t from, size_t max)
{
	*i = (struct idle){ .exact = true, .end = from, .max = max };
}

void idle_free(struct idle *i)
{
	free(i->gaps);
	i->gaps = NULL;
	i->count = i->size = 0;
}

/* Of the older half pairs become one. */
static void join_pairs(struct idle *i)
{
	size_t pairs = i->count / 4;

	for (size_t k = 0; k < pairs; k++) {
		const struct idle_gap *a = &i->gaps[2 * k], *b = a + 1;

		i->gaps[k] = (struct idle_gap){ a->from, b->to,
						a->idle + b->idle };
	}
	i->count -= pairs;
	memmove(i->gaps + pairs, i->gaps + 2 * pairs,
		(i->count - pairs) * sizeof(*i->gaps));
}

static int add_gap(struct idle *i, uint64_t from, uint64_t to)
{
	struct idle_gap *gaps;

	if (i->count == i->max)
		join_pairs(i);
	gaps = array_reserve(i->gaps, i->count, &i->size, 16, sizeof(*gaps));
	if (!gaps)
		return -ENOMEM;
	i->gaps = gaps;
	gaps[i->count++] = (struct idle_gap){ from, to, to - from };
	i->sum += to - from;
	return 0;
}

/* The last gap is covered from a moment within it on. */
static void cut_last(struct idle *i, uint64_t from)
{
	struct idle_gap *gap = &i->gaps[i->count - 1];
	uint64_t left = from - gap->from, was = gap->idle;

	if (was < gap->to - gap->from)
		i->exact = false;
	gap->idle = was < left ? was : left;
	gap->to = from;
	i->sum -= was - gap->idle;
}

static void cover(struct idle *i, uint64_t from)
{
	while (i->count && i->gaps[i->count - 1].from >= from)
		i->sum -= i->gaps[--i->count].idle;
	if (i->count && i->gaps[i->count - 1].to > from)
		cut_last(i, from);
}

int idle_add(struct idle *i, uint64_t from, uint64_t to)
{
	int err = 0;

	if (from > i->end)
		err = add_gap(i, i->end, from);
	else
		cover(i, from);
	if (!err)
		i->end = to;
	return err;
}
