/* SPDX-License-Identifier: GPL-2.0-only */
/* Busy times of servers; see servers.h. */
#include <math.h>
#include <string.h>

#include "capacity/servers.h"

enum {
	LATENCIES = 2,		/* in a slice, */
	SLICE_MIN = 1 << 14,	/* and its bounds, ns */
	SLICE_MAX = 1 << 25
};

double servers_of(double number)
{
	return exp2(number / SERVERS_PARTS);
}

void servers_init(struct servers *b, uint64_t start)
{
	b->now.start = start;
	for (int k = 0; k < SERVERS_KS; k++)
		b->ks[k] = servers_of(k);
}

uint64_t servers_next(const struct servers *b)
{
	uint64_t length = b->latency < SLICE_MAX ? b->latency * LATENCIES :
						   SLICE_MAX;

	return b->now.start + (length < SLICE_MIN ? SLICE_MIN :
			       length > SLICE_MAX ? SLICE_MAX : length);
}

/* --- completions ---------------------------------------------------------- */

/* Follows the shortest 6%: down in steps 16 times as large as up. */
static void learn(struct servers *b, uint64_t latency)
{
	uint64_t less = b->service > latency ? b->service - latency : 0;
	uint64_t step = b->service / 16;

	b->latency += latency / 64 - b->latency / 64;
	if (!b->service)
		b->service = latency;
	else if (less)
		b->service -= less < step ? less : step;
	else
		b->service += step / 16;
}

void servers_done(struct servers *b, uint64_t end, uint64_t latency)
{
	uint64_t here = end > b->now.start ? end - b->now.start : 0, served;
	double before = 0;

	learn(b, latency);
	served = latency < b->service ? latency : b->service;
	if (here < served)
		before = 1 - (double)here / (double)served;
	b->done[b->before.group][b->before.level] += before;
	b->slice_done += 1 - before;
}

/* --- slices --------------------------------------------------------------- */

/* the class of a level */
static unsigned int class_of(uint32_t level)
{
	unsigned int bits, class;

	if (!level)
		return 0;
	bits = 31 - (unsigned int)__builtin_clz(level);
	/* the upper half from the square root of 2 on */
	class = 1 + 2 * bits + ((uint64_t)level * level >> (2 * bits) >= 2);
	return class < SERVERS_STARTS ? class : SERVERS_STARTS - 1;
}

/* Adds the busy time of each number of servers: rows that are not above it count
 * by their level, others by it.  From the highest level on all have the same. */
static void add_slice(struct servers *b)
{
	double *time = b->time[b->now.group][b->now.level];
	double below = 0, above = 0;
	unsigned int k = 0;

	for (unsigned int i = 1; i <= b->last; i++)
		above += b->rows[i].time;
	for (unsigned int i = 1; i <= b->last; i++) {
		double level = b->rows[i].area / b->rows[i].time;

		if (b->rows[i].time <= 0)
			continue;
		for (; k < SERVERS_KS && b->ks[k] < level; k++)
			time[k] += below + b->ks[k] * above;
		below += b->rows[i].area;
		above -= b->rows[i].time;
	}
	if (k < SERVERS_KS)
		b->from[b->now.group][b->now.level][k] += below;
}

void servers_cut(struct servers *b, uint64_t now, unsigned int group, uint32_t level)
{
	add_slice(b);
	b->done[b->now.group][b->now.level] += b->slice_done;
	memset(b->rows, 0, (b->last + 1) * sizeof(*b->rows));
	b->last = 0;
	b->slice_done = 0;
	b->before = b->now;
	b->now = (struct servers_slice){ now, group, class_of(level) };
}

static void sum_up(double time[SERVERS_KS], double from[SERVERS_KS])
{
	double sum = 0;

	for (int k = 0; k < SERVERS_KS; k++) {
		sum += from[k];
		time[k] += sum;
		from[k] = 0;
	}
}

void servers_end(struct servers *b)
{
	servers_cut(b, b->now.start, 0, 0);
	for (int g = 0; g < SERVERS_GROUPS; g++)
		for (int i = 0; i < SERVERS_STARTS; i++)
			sum_up(b->time[g][i], b->from[g][i]);
}
