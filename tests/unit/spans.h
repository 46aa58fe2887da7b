/* SPDX-License-Identifier: GPL-2.0-only */
/* A few intervals, and plain counting of how many hold in each ns. */
#ifndef TESTS_UNIT_SPANS_H
#define TESTS_UNIT_SPANS_H

#include "make.h"
#include "stat/depth.h"

enum { TIME = 400, SPANS = 60 };

/* a few intervals, and how many hold in each ns */
struct plain {
	struct depth_span spans[SPANS];
	unsigned int count;
	uint32_t depth[TIME];
};

/* mostly in the order of their ends, which may be the same */
static inline void make_spans(struct plain *p, uint64_t *seed, uint32_t longest)
{
	uint64_t end = 0;

	*p = (struct plain){ .count = chance(seed) % SPANS };
	for (unsigned int i = 0; i < p->count; i++) {
		struct depth_span *s = &p->spans[i];
		uint64_t length = chance(seed) % longest;

		end += chance(seed) % (TIME / SPANS + 1);
		s->to = end;
		s->from = length < end ? end - length : 0;
		for (uint64_t t = s->from; t < s->to; t++)
			p->depth[t]++;
	}
}

/* every third may be reported a few places too late */
static inline void disorder(struct plain *p, uint64_t *seed)
{
	for (unsigned int i = 0; i + 5 < p->count; i++) {
		unsigned int with = i + chance(seed) % 5;
		struct depth_span s = p->spans[i];

		if (chance(seed) % 3)
			continue;
		p->spans[i] = p->spans[with];
		p->spans[with] = s;
	}
}

static inline void assert_row(const struct plain *p, const struct depth_row *row)
{
	uint64_t integral = 0, busy = 0;
	uint32_t most = 0;

	for (uint64_t t = row->from; t < row->to; t++) {
		integral += p->depth[t];
		busy += p->depth[t] > 0;
		if (p->depth[t] > most)
			most = p->depth[t];
	}
	assert_int_equal(row->integral.low, integral);
	assert_int_equal(row->integral.high, 0);
	assert_int_equal(row->busy, busy);
	assert_int_equal(row->most, most);
	assert_true(row->exact);
}

#endif
