/* SPDX-License-Identifier: GPL-2.0-only */
/* Rules about how long requests take, when and where; see judge.h. */
#include "findings/judge.h"

/* --- stall --------------------------------------------------------------- */

static const uint64_t AROUND = 200000000;	/* ns that are worth a look */

static void tell_stall(const struct stall_gap *g, uint64_t times,
		       struct finding *f)
{
	uint64_t from = stalls_from(g);

	f->numbers[FINDING_FROM] = from;
	f->numbers[FINDING_UNTIL] = g->next;
	f->numbers[FINDING_LOOK_FROM] = from > AROUND ? from - AROUND : 0;
	f->numbers[FINDING_LOOK_UNTIL] = g->next + AROUND;
	f->numbers[FINDING_LONGEST] = g->next - from;
	f->numbers[FINDING_COUNT] = g->waiters;
	if (times > 1)
		f->numbers[FINDING_TIMES] = times;
}

/* the longest of those that count, or NULL; adds how many do, and how long ios
 * waited in them */
static const struct stall_gap *longest_stall(const struct evidence *e,
					     uint64_t least, uint64_t *times,
					     uint64_t *waited)
{
	const struct stall_gap *longest = NULL;

	for (uint32_t i = 0; i < e->stalls.count; i++) {
		const struct stall_gap *g = &e->stalls.gaps[i];

		if (!stalls_is_one(g, least))
			continue;
		++*times;
		*waited += g->waited;
		if (!longest || g->next - stalls_from(g) >
				longest->next - stalls_from(longest))
			longest = g;
	}
	return longest;
}

/* Drops that no hole shows may have been completions. */
bool judge_stall(const struct evidence *e, const struct rule *r,
		 struct finding *f)
{
	uint64_t usual = times_percentile(&e->times, 90 * HISTOGRAM_PERCENT);
	uint64_t least = usual * (r->limits.ratio / 1000), times = 0;
	const struct stall_gap *longest;

	if (least < r->limits.span)
		least = r->limits.span;
	f->numbers[FINDING_USUAL] = usual;
	f->numbers[FINDING_LEAST] = least;
	longest = longest_stall(e, least, &times, &f->time_lost);
	if (!longest || e->times.all.count < r->limits.ios || e->facts.dropped)
		return false;
	tell_stall(longest, times, f);
	if (longest->open)
		judge_in_flight(e, f);
	return true;
}

/* --- periodic ------------------------------------------------------------ */

/* Bursts at regular times, though there are slow requests in between. */
static bool shows_through(const struct rhythm *h, const struct rule_limits *l,
			  struct finding *f)
{
	struct rhythm_period period = { 0 };

	if (!rhythm_period(h, l->span, l->count, l->share, &period))
		return false;
	f->numbers[FINDING_EVERY] = period.every;
	f->numbers[FINDING_OF] = period.cycles;
	f->numbers[FINDING_TIMES] = f->numbers[FINDING_REGULAR] = period.hits;
	return true;
}

bool judge_periodic(const struct evidence *e, const struct rule *r,
		    struct finding *f)
{
	const struct rhythm *h = &e->rhythm;
	uint64_t every = times_median(&h->gaps);
	uint64_t off = every / 1000 * r->limits.spread;
	uint64_t regular = rhythm_between(h, every - off, every + off);

	f->numbers[FINDING_TIMES] = h->clusters;
	f->numbers[FINDING_COUNT] = h->slow;
	f->numbers[FINDING_LEAST] = h->least;
	if (h->gaps.count) {
		f->numbers[FINDING_EVERY] = every;
		f->numbers[FINDING_REGULAR] = regular;
		f->numbers[FINDING_OF] = h->gaps.count;
	}
	f->time_lost = h->lost;
	if (e->times.all.count < r->limits.ios)
		return false;
	return (h->clusters >= r->limits.count && every >= r->limits.span &&
		judge_reaches(regular, r->limits.share, h->gaps.count)) ||
	       shows_through(h, &r->limits, f);
}

/* --- slow region --------------------------------------------------------- */

/* Slow for most of its requests, and not only once. */
static bool is_slow(const struct region_part *p, const struct rule_limits *l)
{
	return p->count >= l->count && p->slow >= p->count - p->count / 2 &&
	       p->slow_times >= l->spread && 2 * p->slow_times >= p->times;
}

/*
 * Where more than half is slow nothing is usual.  A few slow parts may lie
 * anywhere; many are a place if they lie together.
 */
static bool is_one_place(uint64_t bad, uint32_t span)
{
	return bad && bad <= REGIONS_PARTS / 2 &&
	       (bad <= REGIONS_PARTS / 8 || 4 * bad >= 3 * span);
}

bool judge_slow_region(const struct evidence *e, const struct rule *r,
		       struct finding *f)
{
	struct region_part parts[REGIONS_PARTS];
	uint64_t ratio = 0, bad = 0;
	uint32_t first = 0, last = 0;

	regions_parts(&e->regions, e->from, e->to, parts);
	for (uint32_t i = 0; i < REGIONS_PARTS; i++) {
		if (!is_slow(&parts[i], &r->limits))
			continue;
		first = bad++ ? first : i;
		last = i;
		if (parts[i].ratios / parts[i].slow > ratio)
			ratio = parts[i].ratios / parts[i].slow;
	}
	f->numbers[FINDING_COUNT] = bad;
	f->numbers[FINDING_OF] = e->regions.count;
	if (!is_one_place(bad, last - first + 1) ||
	    e->regions.count < r->limits.ios)
		return false;
	f->numbers[FINDING_RATIO] = ratio;
	f->numbers[FINDING_FIRST] = regions_border(&e->regions, first);
	f->numbers[FINDING_LAST] = regions_border(&e->regions, last + 1);
	f->time_lost = e->regions.lost;
	return true;
}

/* --- tail ---------------------------------------------------------------- */

/* What the count slowest took, each as the middle of its cell. */
static struct wide slowest(const struct histogram *h, uint64_t count)
{
	struct wide sum = { 0, 0 };
	uint64_t times, faster = h->count - count;
	int cell = -1;

	while (histogram_next(h, &cell, &times)) {
		uint64_t low = histogram_cell_low((unsigned int)cell);
		uint64_t high = histogram_cell_high((unsigned int)cell);
		uint64_t before = times < faster ? times : faster;

		faster -= before;
		wide_join(&sum, wide_product(low + (high - low) / 2,
					     times - before));
	}
	return sum;
}

bool judge_tail(const struct evidence *e, const struct rule *r,
		struct finding *f)
{
	const struct histogram *h = &e->times.all;
	struct wide sum = slowest(h, h->count / 100);

	f->numbers[FINDING_OF] = h->count;
	f->numbers[FINDING_SHARE] = judge_sum_share(sum, h->sum);
	f->numbers[FINDING_USUAL] = times_median(h);
	f->numbers[FINDING_RARE] =
		times_percentile(&e->times, 99900);
	f->numbers[FINDING_LONGEST] = h->max;
	f->time_lost = judge_clamp(sum);
	return h->count >= r->limits.ios &&
	       judge_sum_reaches(sum, r->limits.share, h->sum);
}
