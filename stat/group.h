/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * I/Os grouped by any combination of keys: a row for each combination of
 * values, with counts and the histograms requested.
 *
 * The first GROUP_ROWS combinations have rows, all others share one.  Process
 * ids become names when these are known, and rows of one name are joined at the
 * latest by group_end().
 */
#ifndef STAT_GROUP_H
#define STAT_GROUP_H

#include <stdint.h>

#include "stat/group_row.h"

struct io;			/* request/io.h */
struct group;

/* 0 and *g; -ENOMEM */
int group_new(struct group **g, const struct group_options *o);

/* Counts an I/O, and measures it if it ended without a gap.  bytes: of the I/O
 * or of its request.  0, or what histogram_add() returns. */
int group_add(struct group *g, const struct io *io, uint64_t bytes);

/* The same for groups beside the main one, which stays inlined in its caller. */
int group_add_more(struct group *g, const struct io *io, uint64_t bytes);

/* Adds time in flight at the device, of an I/O or its request; also for an I/O
 * without a row.  0, -ENOMEM. */
int group_under_way(struct group *g, const struct io *io, uint64_t from,
		    uint64_t to);

/* The I/O may be in flight: the row's depth is a lower bound.  0, -ENOMEM. */
int group_doubt(struct group *g, const struct io *io);

/* Skips an I/O that is in no row, but which others may follow in sequence. */
void group_skip(struct group *g, const struct io *io);

/* makes rows final; 0 or -ENOMEM */
int group_end(struct group *g);

/* a row's histogram of a measure in the options */
const struct histogram *group_histogram(const struct group *g,
					const struct group_row *row,
					unsigned int measure);

/* place of the least and greatest, if the options ask for places */
const struct group_place *group_least(const struct group *g,
				      const struct group_row *row,
				      unsigned int measure);
const struct group_place *group_greatest(const struct group *g,
					 const struct group_row *row,
					 unsigned int measure);

/* depth of a row when the trace ends at end; 0, -ENOMEM */
int group_depth(const struct group_row *row, uint64_t end,
		struct depth_row *depth);

enum group_order {
	GROUP_BY_TIME,		/* most time first, (other) last */
	GROUP_BY_KEYS		/* by the first key, (other) last */
};

/* All rows in order: an array of *count, for the caller to free, or NULL. */
struct group_row **group_rows(const struct group *g, enum group_order order,
			      unsigned int *count);

/* Name for a value of GROUP_PROCESS; NULL: unknown, see *origin and *pid. */
const char *group_process(const struct group *g, uint64_t value,
			  uint16_t *origin, uint32_t *pid);

/* sectors of a region, a power of two, such that there are at most 128 */
uint64_t group_region(const struct group *g);

/* frees g with its rows; NULL is fine */
void group_free(struct group *g);

#endif
