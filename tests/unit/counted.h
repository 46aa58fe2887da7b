/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a summary is made of: a page, and one CPU of one device with nothing
 * counted yet.  The state of each of their tests.
 */
#ifndef TESTS_UNIT_COUNTED_H
#define TESTS_UNIT_COUNTED_H

#include "page.h"
#include "stats.h"

struct rig {
	struct page page;
	struct stats stats;	/* per process, too */
	struct lane_stats *here;
};

static inline int set_up(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));

	assert_non_null(r);
	page_init(&r->page);
	r->stats.names = &r->page.names;
	r->stats.per_process = true;
	r->here = stats_lane(&r->stats, r->page.lane);
	assert_non_null(r->here);
	*state = r;
	return 0;
}

static inline int tear_down(void **state)
{
	struct rig *r = *state;

	stats_free(&r->stats);
	page_free(&r->page);
	free(r);
	return 0;
}

#endif
