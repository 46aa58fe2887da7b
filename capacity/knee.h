/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The knee of a device: the level from which more I/Os at a time only wait.
 *
 * Below it each level adds the same throughput, from it none does: the rate is
 * that of the lesser of level and knee.  The knee is the most likely one if
 * completions come at random at that rate.  They need not: how far it may be
 * wrong is what the groups of time say, each left out in turn (a jackknife), of
 * its logarithm.
 */
#ifndef CAPACITY_KNEE_H
#define CAPACITY_KNEE_H

#include "capacity/levels.h"

enum knee_state {
	KNEE_NONE,		/* too few I/Os, or in too short a time */
	KNEE_FOUND,
	KNEE_ABOVE,		/* throughput still rises at the highest level */
	KNEE_BELOW,		/* it is the same from the lowest level on */
	KNEE_NO_RANGE,		/* there is only one level */
	KNEE_DOUBTFUL,		/* levels have I/Os that never completed: by
				 * capacity/capacity, the rest is as found */
};

/* a level; unit of time: any, the same everywhere */
struct knee_row {
	double level;
	double time[LEVELS_GROUPS], done[LEVELS_GROUPS];
};

/* a number, and in which range it is 19 times of 20; high may be INFINITY */
struct knee_range {
	double is, low, high;
};

struct knee {
	enum knee_state state;
	struct knee_range level;	/* the knee; of KNEE_ABOVE is and high are
					 * INFINITY, of KNEE_BELOW low is 1 */
	struct knee_range rate;	/* completions per time: the capacity; of
				 * KNEE_ABOVE the least that it is */
	double slope;		/* rate of one more level below the knee */
	double least, most;	/* levels with 99% of all completions */
	double misfit;		/* by how much rates are off the fit: the mean of
				 * shares, weighted by completions */
	double slopes[LEVELS_GROUPS];	/* and knees, without a group */
	double levels[LEVELS_GROUPS];
};

/* Rows in order of their levels, each above 0. */
void knee_find(struct knee *k, const struct servers *servers,
	       const struct knee_row *rows, unsigned int count);

/* the same of a device, by second */
void knee_of(struct knee *k, const struct levels *l);

/* "found", "above", "below", "no_range", "too_few", "doubtful" */
const char *knee_state_name(enum knee_state state);

/* the rate of a level that the fit has; group: without that one, or -1 */
double knee_rate(const struct knee *k, double level, int group);

/* The range of a number above 0 by its values without each group, and by a share
 * of it that is uncertain in any case. */
struct knee_range knee_range_of(double is, const double without[LEVELS_GROUPS],
				double share);

#endif
