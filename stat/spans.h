/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Spans of one bin of many: as they are while they are few, in a histogram when
 * they are more.  So thousands of bins that two by two become one, over and
 * over, are cheap as long as there is little in them.
 */
#ifndef STAT_SPANS_H
#define STAT_SPANS_H

#include <stdint.h>

#include "base/histogram.h"

enum { SPANS_FEW = 128 };

/* an all-zero one has none */
struct spans {
	uint64_t *few;
	uint32_t count, size;	/* of few */
	struct histogram many;	/* all, if there is any in it */
};

/* 0, or what histogram_add() returns */
int spans_add(struct spans *s, uint64_t span);

/* Moves all of other's into s; the same, and then some are lost. */
int spans_move(struct spans *s, struct spans *other);

/* Adds all to a histogram; the same. */
int spans_copy(const struct spans *s, struct histogram *to);

void spans_free(struct spans *s);

#endif
