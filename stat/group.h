/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ios by what they have in common: any combination of keys, a row for each of
 * their values, with counts, and histograms of what is asked for.
 *
 * The first GROUP_ROWS values have rows, all later ones share one more.  Ids of
 * processes become names when these are known: rows of one name are one row,
 * at the latest after group_end().
 */
#ifndef STAT_GROUP_H
#define STAT_GROUP_H

#include <stdint.h>

#include "stat/group_row.h"

struct io;			/* request/io.h */
struct group;

/* 0 and *g; -ENOMEM */
int group_new(struct group **g, const struct group_options *o);

/*
 * Counts an io, and measures it if it ended without a gap.  bytes: its own, or
 * those of its request.  0, or what histogram_add() returns.
 */
int group_add(struct group *g, const struct io *io, uint64_t bytes);

/*
 * The request of an io, or the io itself, was under way at the device from one
 * moment to another; also of ios that are in no row otherwise.  0, -ENOMEM.
 */
int group_under_way(struct group *g, const struct io *io, uint64_t from,
		    uint64_t to);

/* The same may have been so, or for longer: the row's depth is at least what it
 * has.  0, -ENOMEM. */
int group_doubt(struct group *g, const struct io *io);

/* An io that is in no row: others may follow it in sequence. */
void group_skip(struct group *g, const struct io *io);

/* no more ios come: rows are final; 0 or -ENOMEM */
int group_end(struct group *g);

/* the histogram that row has of a measure that was asked for */
const struct histogram *group_histogram(const struct group *g,
					const struct group_row *row,
					unsigned int measure);

/* where its least or greatest was, if the options ask for places */
const struct group_place *group_least(const struct group *g,
				      const struct group_row *row,
				      unsigned int measure);
const struct group_place *group_greatest(const struct group *g,
					 const struct group_row *row,
					 unsigned int measure);

/* how many of a row were under way, when all is over at end; 0, -ENOMEM */
int group_depth(const struct group_row *row, uint64_t end,
		struct depth_row *depth);

enum group_order {
	GROUP_BY_TIME,		/* most of it first, (other) last */
	GROUP_BY_KEYS		/* from the first key on, (other) last */
};

/*
 * All rows in this order: an array of *count, which the caller frees; NULL: no
 * memory.
 */
struct group_row **group_rows(const struct group *g, enum group_order order,
			      unsigned int *count);

/*
 * What a value of GROUP_PROCESS stands for: a name, or NULL: only origin and
 * pid are known.
 */
const char *group_process(const struct group *g, uint64_t value,
			  uint16_t *origin, uint32_t *pid);

/* sectors of a region: a power of two, so that there are 128 at most */
uint64_t group_region(const struct group *g);

/* frees g with its rows; NULL is fine */
void group_free(struct group *g);

#endif
