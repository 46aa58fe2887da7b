/* SPDX-License-Identifier: GPL-2.0-only */
/* The rows that took longest; see slowest.h. */
#include <stdbool.h>
#include <stdlib.h>

#include "report/slowest.h"

/* whether a leaves before b: it is shorter, or as long and later */
static bool before(const struct report_slow *a, const struct report_slow *b)
{
	return a->ns != b->ns ? a->ns < b->ns : a->row.id > b->row.id;
}

static void swap(struct report_slowest *s, unsigned int a, unsigned int b)
{
	struct report_slow one = s->list[a];

	s->list[a] = s->list[b];
	s->list[b] = one;
}

static void rise(struct report_slowest *s, unsigned int at)
{
	while (at && before(&s->list[at], &s->list[(at - 1) / 2])) {
		swap(s, at, (at - 1) / 2);
		at = (at - 1) / 2;
	}
}

static void sink_down(struct report_slowest *s)
{
	unsigned int at = 0;

	for (;;) {
		unsigned int least = at;

		for (unsigned int i = 2 * at + 1; i <= 2 * at + 2; i++)
			if (i < s->count &&
			    before(&s->list[i], &s->list[least]))
				least = i;
		if (least == at)
			return;
		swap(s, at, least);
		at = least;
	}
}

void report_slowest_put(struct report_slowest *s, const struct report_row *row,
			uint64_t ns)
{
	const struct report_slow one = { ns, *row };

	if (s->count < REPORT_SLOWEST) {
		s->list[s->count] = one;
		rise(s, s->count++);
	} else if (before(&s->list[0], &one)) {
		s->list[0] = one;
		sink_down(s);
	}
}

static int longest_first(const void *a, const void *b)
{
	return before(a, b) ? 1 : before(b, a) ? -1 : 0;
}

void report_slowest_sort(struct report_slowest *s)
{
	qsort(s->list, s->count, sizeof(s->list[0]), longest_first);
}
