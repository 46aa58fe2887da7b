/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many requests are under way, in bins of equal time: the mean, the least
 * and the most of each.  Bins double as those of stat/rates do.
 *
 * Requests are reported at their ends or later, in about that order.  So many
 * moments are held to put them in order; a request whose begin is even farther
 * back counts exactly in the mean, and in the least and the most of all bins
 * that it fills; in the one it began in, the most is that of the bin and one.
 *
 * At a moment, ends come before begins.
 */
#ifndef STAT_DEPTH_BINS_H
#define STAT_DEPTH_BINS_H

#include <stdint.h>

#include "base/heap.h"
#include "base/wide.h"

enum { DEPTH_BINS_HELD = 65536 };

struct depth_bin {
	struct wide integral;	/* of how many over ns */
	uint64_t length;	/* ns that are known of it */
	uint32_t least, most;	/* 0 if length is */
};

struct depth_bins {
	uint64_t from, width;	/* of the first bin; of each; in ns */
	unsigned int count;	/* of bins, a power of two */
	struct depth_bin *bins;
	struct heap held;	/* moments that wait for their order */
	uint64_t at;		/* up to here bins are filled, */
	uint32_t now;		/* so many are under way there */
};

/* 0, or -ENOMEM; width is what bins have at first, not 0 */
int depth_bins_init(struct depth_bins *d, uint64_t from, uint64_t width,
		    unsigned int count);

/*
 * One was under way from one moment up to another; UINT64_MAX: it never ended.
 * What was before the first bin is left out.  0, or -ENOMEM.
 */
int depth_bins_add(struct depth_bins *d, uint64_t from, uint64_t to);

/* no more come; the time is over at end.  Called once. */
void depth_bins_end(struct depth_bins *d, uint64_t end);

/* Adds up the bins which begin from one moment on and before another. */
void depth_bins_sum(const struct depth_bins *d, uint64_t from, uint64_t to,
		    struct depth_bin *sum);

void depth_bins_free(struct depth_bins *d);

#endif
