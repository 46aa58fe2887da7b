/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Depth in bins of equal time: mean, minimum and maximum.
 *
 * Bins double as those of stat/rates do.  Requests are added at their ends or
 * later, in roughly that order, and DEPTH_BINS_HELD moments are held to sort
 * them.  A request that started before these counts exactly, except that the
 * maximum in its first bin is raised by one.  At equal times, ends come before
 * starts.
 */
#ifndef STAT_DEPTH_BINS_H
#define STAT_DEPTH_BINS_H

#include <stdint.h>

#include "base/heap.h"
#include "base/wide.h"

enum { DEPTH_BINS_HELD = 65536 };

struct depth_bin {
	struct wide integral;	/* depth times ns */
	uint64_t length;	/* ns covered */
	uint32_t least, most;	/* 0 if length is */
};

struct depth_bins {
	uint64_t from, width;	/* start of the first bin, width of each, ns */
	unsigned int count;	/* bins, a power of two */
	struct depth_bin *bins;
	struct heap held;	/* moments being sorted */
	uint64_t at;		/* bins are filled up to here */
	uint32_t now;		/* depth there */
};

/* width: initial, not 0.  0, or -ENOMEM. */
int depth_bins_init(struct depth_bins *d, uint64_t from, uint64_t width,
		    unsigned int count);

/* Adds a request; to UINT64_MAX: it never ended.  Time before the first bin is
 * ignored.  0, or -ENOMEM. */
int depth_bins_add(struct depth_bins *d, uint64_t from, uint64_t to);

/* finishes at end, called once */
void depth_bins_end(struct depth_bins *d, uint64_t end);

/* Sums the bins that start at from or later, and before to. */
void depth_bins_sum(const struct depth_bins *d, uint64_t from, uint64_t to,
		    struct depth_bin *sum);

void depth_bins_free(struct depth_bins *d);

#endif
