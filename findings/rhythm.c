/* SPDX-License-Identifier: GPL-2.0-only */
/* Slow requests in clusters; see rhythm.h. */
#include "findings/rhythm.h"

static const uint64_t QUIET = 100000000;	/* ns */
enum { TIMES = 8 };		/* the median */

void rhythm_free(struct rhythm *r)
{
	histogram_free(&r->gaps);
}

/* the cluster in hand is over */
static int close_cluster(struct rhythm *r)
{
	int err = 0;

	if (r->clusters > 1 && r->first > r->before)
		err = histogram_add(&r->gaps, r->first - r->before);
	r->before = r->first;
	return err;
}

static int open_cluster(struct rhythm *r, uint64_t issued)
{
	int err = r->clusters ? close_cluster(r) : 0;

	r->clusters++;
	r->first = r->last = issued;
	return err;
}

/* --- by time ------------------------------------------------------------- */

enum { SOONEST = 20 };		/* a millisecond */

static void fold_bins(struct rhythm *r)
{
	for (uint32_t i = 0; i < RHYTHM_BINS / 2; i++)
		r->bins[i] = r->bins[2 * i] + r->bins[2 * i + 1];
	for (uint32_t i = RHYTHM_BINS / 2; i < RHYTHM_BINS; i++)
		r->bins[i] = 0;
	r->used = (r->used + 1) / 2;
	r->span++;
}

static void count_bin(struct rhythm *r, uint64_t issued)
{
	uint64_t since;
	uint32_t bin;

	if (!r->span) {
		r->span = SOONEST;
		r->begin = issued;
	}
	since = issued > r->begin ? issued - r->begin : 0;
	while (since >> r->span >= RHYTHM_BINS)
		fold_bins(r);
	bin = (uint32_t)(since >> r->span);
	r->bins[bin]++;
	if (bin >= r->used)
		r->used = bin + 1;
}

int rhythm_add(struct rhythm *r, const struct served *s, uint64_t usual)
{
	uint64_t issued = s->at[SERVED_ISSUED], took = served_device_time(s);

	r->least = TIMES * usual > RHYTHM_SLOW ? TIMES * usual : RHYTHM_SLOW;
	if (took < r->least || !usual)
		return 0;
	count_bin(r, issued);
	r->slow++;
	r->lost += took - usual;
	if (!r->clusters || issued > r->last + QUIET)
		return open_cluster(r, issued);
	if (issued > r->last)
		r->last = issued;
	if (issued < r->first && issued + QUIET >= r->first)
		r->first = issued;
	return 0;
}

int rhythm_end(struct rhythm *r)
{
	return r->clusters ? close_cluster(r) : 0;
}

uint64_t rhythm_between(const struct rhythm *r, uint64_t low, uint64_t high)
{
	uint64_t count, sum = 0;
	int cell = -1;

	while (histogram_next(&r->gaps, &cell, &count)) {
		uint64_t a = histogram_cell_low((unsigned int)cell);
		uint64_t b = histogram_cell_high((unsigned int)cell);
		uint64_t middle = a + (b - a) / 2;

		if (middle >= low && middle <= high)
			sum += count;
	}
	return sum;
}

/* --- a period in noise --------------------------------------------------- */

enum {
	PHASES = 20,		/* of a cycle; two of them make a window */
	WINDOWS = PHASES / 2,
	SHORTEST = 10,		/* bins of a cycle */
};

/* bins folded at a period of some bins */
struct folded {
	double period;
	uint64_t cycles;	/* whole ones */
	unsigned int phase;	/* start of the fullest window */
	double share;		/* of all, in it */
};

static unsigned int phase_of(double period, uint32_t bin)
{
	double cycle = (bin + 0.5) / period;

	return (unsigned int)((cycle - (double)(uint64_t)cycle) * PHASES) %
	       PHASES;
}

static struct folded fold(const struct rhythm *r, double period)
{
	struct folded f = { period, (uint64_t)(r->used / period), 0, 0 };
	double sums[PHASES] = { 0 }, all = 0, most = 0;

	for (uint32_t i = 0; i < r->used; i++) {
		sums[phase_of(period, i)] += r->bins[i];
		all += r->bins[i];
	}
	for (unsigned int i = 0; i < PHASES; i++) {
		double sum = sums[i] + sums[(i + 1) % PHASES];

		if (sum > most) {
			most = sum;
			f.phase = i;
		}
	}
	f.share = all > 0 ? most / all : 0;
	return f;
}

/* What each window has, the n-th of a cycle being at n, n + WINDOWS, ... */
static void sum_windows(const struct rhythm *r, const struct folded *f,
			uint32_t sums[RHYTHM_BINS])
{
	double shift = f->period * (1 - f->phase / (double)PHASES);

	for (uint32_t i = 0; i < RHYTHM_BINS; i++)
		sums[i] = 0;
	for (uint32_t i = 0; i < r->used; i++) {
		double at = (i + 0.5 + shift) / f->period * WINDOWS;

		if (at < RHYTHM_BINS)
			sums[(uint32_t)at] += r->bins[i];
	}
}

/* how likely it is that of n things that happen at p at least k do */
static double chance_of(uint64_t n, uint64_t k, double p)
{
	double term = 1, sum = 0;

	/* term is C(n, i) p^i, an upper bound of what i things have */
	for (uint64_t i = 0; i <= n; i++) {
		if (i >= k)
			sum += term;
		term = term * (double)(n - i) / (double)(i + 1) * p;
	}
	return sum;
}

static bool is_period(const struct rhythm *r, const struct folded *f,
		      uint64_t share, struct rhythm_period *found)
{
	uint32_t sums[RHYTHM_BINS];
	uint64_t hits = 0, others = 0, end = (f->cycles + 1) * WINDOWS;
	double enough = f->share * (double)r->slow / (double)f->cycles / 2;

	sum_windows(r, f, sums);
	for (uint64_t i = 0; i < end && i < RHYTHM_BINS; i++) {
		bool many = sums[i] >= enough;

		hits += many && i % WINDOWS == 0;
		others += many && i % WINDOWS;
	}
	if (hits > f->cycles)
		hits = f->cycles;
	found->every = (uint64_t)(f->period * (double)(1ULL << r->span));
	found->cycles = f->cycles;
	found->hits = hits;
	return hits * 1000 >= f->cycles * share &&
	       chance_of(f->cycles, hits, (double)(others + 1) /
			 (double)(f->cycles * (WINDOWS - 1) + 1)) < 1e-12;
}

/* Periods grow by a twentieth of a cycle over all cycles.  Multiples of the
 * true one follow it, so the first that is one is it, or beside it. */
bool rhythm_period(const struct rhythm *r, uint64_t least, uint64_t cycles,
		   uint64_t share, struct rhythm_period *period)
{
	double shortest = (double)least / (double)(1ULL << r->span);
	double last = (double)r->used / (double)cycles, best = 0.3;
	struct rhythm_period one;

	if (shortest < SHORTEST)
		shortest = SHORTEST;
	for (double p = shortest; p <= last; p += p * p / r->used / PHASES) {
		struct folded f = fold(r, p);

		if (f.share < best || !is_period(r, &f, share, &one))
			continue;
		if (best == 0.3)
			last = p * 1.1 < last ? p * 1.1 : last;
		best = f.share;
		*period = one;
	}
	return best > 0.3;
}
