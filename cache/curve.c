/* SPDX-License-Identifier: GPL-2.0-only */
/* Shares that caches serve; see curve.h. */
#include <math.h>

#include "cache/curve.h"

#define MILLION 1e6

/* of Student's distribution with 7 degrees of freedom, 5% outside */
#define T_7 2.365

int curve_serve(struct curve *c, struct sample s, uint64_t blocks)
{
	return histogram_add_times(&c->hits[s.group], blocks, s.weight);
}

int curve_add(struct curve *c, struct sample s, bool served, uint64_t blocks)
{
	c->seen[s.group] += s.weight;
	return served ? curve_serve(c, s, blocks) : 0;
}

/* numbers below a limit; those of the cell with it are spread evenly */
static double below(const struct histogram *h, uint64_t limit)
{
	double sum = 0;
	uint64_t count;
	int cell = -1;

	while (histogram_next(h, &cell, &count)) {
		uint64_t low = histogram_cell_low((unsigned int)cell);
		uint64_t high = histogram_cell_high((unsigned int)cell);

		if (low >= limit)
			break;
		if (high < limit)
			sum += (double)count;
		else
			sum += (double)count * (double)(limit - low) /
			       ((double)(high - low) + 1);
	}
	return sum;
}

/* a share of all, with what the sample lacks */
static double share_of(double hits, double seen, double all)
{
	double share = all > 0 ? (hits + all - seen) / all : 0;

	return share < 0 ? 0 : share > 1 ? 1 : share;
}

/* by how much the mean of groups may be wrong */
static double error_of(const double hits[SAMPLE_GROUPS],
		       const struct curve *c, uint64_t all, double mean)
{
	double squares = 0, part = (double)all / SAMPLE_GROUPS;

	for (int i = 0; i < SAMPLE_GROUPS; i++) {
		double off = (hits[i] + part - (double)c->seen[i]) / part - mean;

		squares += off * off;
	}
	return T_7 * sqrt(squares / (SAMPLE_GROUPS * (SAMPLE_GROUPS - 1)));
}

struct curve_point curve_at(const struct curve *c, uint64_t all, uint64_t blocks,
			    uint64_t share)
{
	double hits[SAMPLE_GROUPS], sum = 0, seen = 0, served, error = 0;

	for (int i = 0; i < SAMPLE_GROUPS; i++) {
		hits[i] = below(&c->hits[i], blocks);
		sum += hits[i];
		seen += (double)c->seen[i];
	}
	served = share_of(sum, seen, (double)all);
	if (share > 1 && all)
		error = error_of(hits, c, all, served) *
			sqrt(1 - 1 / (double)share);
	return (struct curve_point){
		(uint32_t)(served * MILLION + 0.5),
		(uint32_t)((error < 1 ? error : 1) * MILLION + 0.5),
	};
}

int curve_copy(struct curve *to, const struct curve *from)
{
	int err = 0;

	for (int i = 0; i < SAMPLE_GROUPS; i++) {
		to->seen[i] = from->seen[i];
		err |= histogram_merge(&to->hits[i], &from->hits[i]);
	}
	return err;
}

void curve_free(struct curve *c)
{
	for (int i = 0; i < SAMPLE_GROUPS; i++)
		histogram_free(&c->hits[i]);
}
