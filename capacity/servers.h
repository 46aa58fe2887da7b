/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long k servers with one queue would have been busy, for each k, and how much
 * they completed.  With the true k the two have the same ratio at any time, however
 * I/Os come and whatever they take.
 *
 * (The rate at which each level is left has no such ratio unless times at servers
 * are random: those that began together end together.)
 *
 * Time is cut into slices of two latencies, by the clock, so that a cut is at a
 * random moment of the work.  Slices are told apart by the level at which they
 * begin: by the one that they have on average would not do, as work that happens to
 * take long makes both levels high and completions few.
 *
 * Of an I/O in service at a cut each side has a part of the completion.  What is
 * taken for its service is the end of its latency, as long as the shortest ones.
 */
#ifndef CAPACITY_SERVERS_H
#define CAPACITY_SERVERS_H

#include <stdint.h>

enum {
	SERVERS_GROUPS = 8,	/* of slices: see capacity/levels.h */
	SERVERS_STARTS = 28,	/* classes of levels: 0, 1, then two for each
				 * power of two */
	SERVERS_PARTS = 8,	/* numbers of servers for each power of two, */
	SERVERS_KS = 14 * SERVERS_PARTS,	/* from 1 on */
	SERVERS_ROWS = 128		/* of levels */
};

struct servers {
	/* of slices: server time, ns, and completions */
	double time[SERVERS_GROUPS][SERVERS_STARTS][SERVERS_KS];
	double done[SERVERS_GROUPS][SERVERS_STARTS];

	/* private */
	/* time to add from a k on */
	double from[SERVERS_GROUPS][SERVERS_STARTS][SERVERS_KS];
	double ks[SERVERS_KS];
	uint64_t latency;	/* ns: a running mean */
	uint64_t service;	/* about the shortest */
	struct servers_slice {
		uint64_t start;
		unsigned int group, level;	/* level: the class */
	} now, before;
	double slice_done;
	unsigned int last;	/* row in this slice, or 0 */
	struct {
		double time, area;	/* ns, and that times levels */
	} rows[SERVERS_ROWS];
};

/* an all-zero one */
void servers_init(struct servers *b, uint64_t start);

/* the end of the slice */
uint64_t servers_next(const struct servers *b);

/* time in this slice at a level, above 0, with its row; ns */
static inline void servers_spend(struct servers *b, unsigned int row, uint32_t level,
			      uint64_t ns)
{
	if (row > b->last)
		b->last = row;
	b->rows[row].time += (double)ns;
	b->rows[row].area += (double)ns * level;
}

/* an I/O of this slice completed at end; latency in ns */
void servers_done(struct servers *b, uint64_t end, uint64_t latency);

/* Ends this slice; the next one is in a group, and begins at a level. */
void servers_cut(struct servers *b, uint64_t now, unsigned int group, uint32_t level);

/* after the last slice: makes the sums final */
void servers_end(struct servers *b);

/* the k of a number, which may have a fraction */
double servers_of(double number);

#endif
