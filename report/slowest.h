/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rows that took longest, by one of the latencies; of as long ones those
 * that came first.
 */
#ifndef REPORT_SLOWEST_H
#define REPORT_SLOWEST_H

#include "base/hint.h"
#include "report/row.h"

/* enough that 150 are left when stacked devices are left out */
enum { REPORT_SLOWEST = 640 };

struct report_slow {
	uint64_t ns;
	struct report_row row;
};

/* an all-zero one is empty; of the first REPORT_SLOWEST a heap, the least
 * first */
struct report_slowest {
	unsigned int count;
	struct report_slow list[REPORT_SLOWEST];
};

/* slow path of report_slowest_add() */
void report_slowest_put(struct report_slowest *s, const struct report_row *row,
			uint64_t ns);

static inline void report_slowest_add(struct report_slowest *s,
				      const struct report_row *row,
				      uint64_t ns)
{
	if (UNLIKELY(s->count < REPORT_SLOWEST || ns > s->list[0].ns))
		report_slowest_put(s, row, ns);
}

/* The longest first, from now on. */
void report_slowest_sort(struct report_slowest *s);

#endif
