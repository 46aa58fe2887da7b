/* SPDX-License-Identifier: GPL-2.0-only */
/* What a device could do; see headroom.h. */
#include <math.h>

#include "base/time.h"
#include "capacity/headroom.h"

/* the share of slow I/Os that a target allows */
#define ALLOWED 0.01

/* levels that are taken together, as their shares did not grow */
struct block {
	double slow, came;
	unsigned int last;	/* row */
};

static double share_of(const struct block *b)
{
	return b->slow / b->came;
}

static double sum_of(const uint64_t numbers[LEVELS_GROUPS], int without)
{
	double sum = 0;

	for (int i = 0; i < LEVELS_GROUPS; i++)
		sum += i == without ? 0 : (double)numbers[i];
	return sum;
}

/* The row of the deepest level that keeps the target; 0: none.  All but a group,
 * or all if that is -1. */
static unsigned int deepest(const struct levels *l, int without)
{
	struct block blocks[LEVELS_ROWS];
	unsigned int count = 0, last = 0;

	for (unsigned int i = 1; i < LEVELS_ROWS; i++) {
		const struct level *level = levels_at(l, i);
		double came = level ? sum_of(level->came, without) : 0;

		if (came <= 0)
			continue;
		blocks[count++] = (struct block){
			sum_of(level->slow, without), came, i };
		for (; count > 1 && share_of(&blocks[count - 1]) <
				    share_of(&blocks[count - 2]); count--) {
			blocks[count - 2].slow += blocks[count - 1].slow;
			blocks[count - 2].came += blocks[count - 1].came;
			blocks[count - 2].last = i;
		}
	}
	for (unsigned int i = 0; i < count; i++)
		if (share_of(&blocks[i]) <= ALLOWED)
			last = blocks[i].last;
	return last;
}

/* the deepest one of all */
static unsigned int last_row(const struct levels *l)
{
	unsigned int last = 0;

	for (unsigned int i = 1; i < LEVELS_ROWS; i++)
		if (levels_at(l, i) && levels_at(l, i)->latency.count)
			last = i;
	return last;
}

/* completions a second, without a group */
static double rate_now(const struct levels *l, int without)
{
	double done = 0, time = 0;

	for (unsigned int i = 0; i < LEVELS_ROWS; i++) {
		const struct level *level = levels_at(l, i);

		if (!level)
			continue;
		done += sum_of(level->done, without);
		time += sum_of(level->time, without);
	}
	return time > 0 ? done * NS_PER_SECOND / time : 0;
}

/* what it can do at the level of a row, or without limit if that is 0 */
static double rate_at(const struct levels *l, const struct knee *k,
		      unsigned int row, int without)
{
	if (k->state == KNEE_NO_RANGE)
		return k->rate.is;
	return knee_rate(k, row ? level_mean(levels_at(l, row), row) :
			    INFINITY, without);
}

/* the share that is used of what fits, without a group */
static double used(const struct levels *l, const struct knee *k, bool target,
		   int without)
{
	unsigned int row = target ? deepest(l, without) : 0;

	if (target && !row)
		return 1;
	return rate_now(l, without) / rate_at(l, k, row, without);
}

static double left_of(double share)
{
	return share < 1 ? 1 - share : 0;
}

static void set_left(struct headroom *h, const struct levels *l,
		     const struct knee *k, bool target)
{
	double without[LEVELS_GROUPS];
	struct knee_range share;

	for (int g = 0; g < LEVELS_GROUPS; g++)
		without[g] = used(l, k, target, g);
	share = knee_range_of(used(l, k, target, -1), without, 0);
	h->left = (struct knee_range){
		left_of(share.is), left_of(share.high), left_of(share.low),
	};
}

void headroom_find(struct headroom *h, const struct levels *l,
		   const struct knee *k, bool target)
{
	bool bounded = k->state == KNEE_FOUND || k->state == KNEE_BELOW;
	unsigned int row = 0;

	*h = (struct headroom){ .now = rate_now(l, -1) };
	if (k->state == KNEE_NONE || k->state == KNEE_DOUBTFUL || (!target && !bounded))
		return;
	h->known = true;
	if (target) {
		row = deepest(l, -1);
		h->level = row ? level_mean(levels_at(l, row), row) : 0;
		h->at_least = !bounded && row == last_row(l);
	}
	h->none = target && !row;
	if (!h->none)
		set_left(h, l, k, target);
}
