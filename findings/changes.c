/* SPDX-License-Identifier: GPL-2.0-only */
/* Changes of a device's I/O; see changes.h. */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "findings/changes.h"

enum {
	OCTAVE = 64,		/* values of series: log2, times this */
	LEVEL = OCTAVE / 2,
	THREEFOLD = 101,
	FOURFOLD = 2 * OCTAVE,
	LEAST = 16 * OCTAVE + 45,	/* of a slow latency: 0.1 ms */
	SPREAD_LEAST = OCTAVE / 10,

	MANY = 16,		/* I/Os in a median bin, by joining bins */
	ENOUGH = 8,		/* in one that counts */
	SLOW_ENOUGH = 4,	/* slow ones in an odd bin, */
	EPISODE_ENOUGH = 10,	/* in an episode */
	BINS_ENOUGH = 16,	/* bins that count */
	BINS_MANY = 24,		/* that joining leaves */
	IOS_ENOUGH = 200,	/* in all */
};

/* ns of a trace: in less nothing is usual */
static const uint64_t SHORTEST = 2000000000;

/* the logarithm of once in 10^9 */
static const double SELDOM = -20.7;

/* --- series --------------------------------------------------------------- */

/* groups of bins with one value each */
struct series {
	uint32_t per;		/* bins in a group */
	uint32_t count;		/* groups */
	int32_t values[COURSE_BINS];
	bool known[COURSE_BINS];
};

struct usual {
	int32_t value;
	int32_t spread;
};

static int by_value(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	return (x > y) - (x < y);
}

static int32_t middle(int32_t *list, uint32_t count, uint32_t percent)
{
	qsort(list, count, sizeof(*list), by_value);
	return list[(uint64_t)(count - 1) * percent / 100];
}

/* how far neighbours are apart, which a level that changes does not alter */
static int32_t differ(const struct series *s)
{
	int32_t steps[COURSE_BINS], last = 0;
	uint32_t count = 0;
	bool any = false;

	for (uint32_t i = 0; i < s->count; i++) {
		if (!s->known[i])
			continue;
		if (any)
			steps[count++] = abs(s->values[i] - last);
		last = s->values[i];
		any = true;
	}
	return count ? middle(steps, count, 50) : 0;
}

/* false: too few values */
static bool find_usual(const struct series *s, struct usual *u)
{
	int32_t list[COURSE_BINS], low;
	uint32_t count = 0;

	for (uint32_t i = 0; i < s->count; i++)
		if (s->known[i])
			list[count++] = s->values[i];
	if (count < BINS_ENOUGH)
		return false;
	u->value = middle(list, count, 35);
	/* 1.26 standard deviations from there if they were normal */
	low = (u->value - list[(count - 1) / 20]) * 4 / 5;
	u->spread = differ(s);
	if (low > u->spread)
		u->spread = low;
	if (u->spread < SPREAD_LEAST)
		u->spread = SPREAD_LEAST;
	return true;
}

static int32_t limit_of(const struct usual *u, int32_t least)
{
	return u->value + (5 * u->spread > least ? 5 * u->spread : least);
}

/* log2(n) * OCTAVE, within a tenth of an octave */
static int32_t log_of(uint64_t n)
{
	int top = 63 - __builtin_clzll(n | 1);
	uint64_t rest = top >= 6 ? n >> (top - 6) : n << (6 - top);

	return top * OCTAVE + (int32_t)(rest & (OCTAVE - 1));
}

/* --- latency -------------------------------------------------------------- */

struct levels {
	uint64_t counts[COURSE_LEVELS];
	uint64_t all;
};

static struct levels levels_of(const struct course *c, enum course_op op,
			       uint32_t group, uint32_t per)
{
	struct levels l = { .all = 0 };

	for (uint32_t i = group * per; i < (group + 1) * per; i++) {
		if (i >= c->used)
			break;
		for (int k = 0; k < COURSE_LEVELS; k++) {
			l.counts[k] += c->latency[op][i][k];
			l.all += c->latency[op][i][k];
		}
	}
	return l;
}

/* between the ends of its level, as if I/Os were spread evenly there */
static int32_t percentile(const struct levels *l, uint32_t percent)
{
	uint64_t rank = (l->all * percent + 99) / 100, before = 0;
	int k = 0;

	while (k < COURSE_LEVELS - 1 && before + l->counts[k] < rank)
		before += l->counts[k++];
	return COURSE_LOWEST * OCTAVE + k * LEVEL +
	       (int32_t)((rank - before) * LEVEL /
			 (l->counts[k] ? l->counts[k] : 1));
}

/* the first level that is wholly above */
static int level_above(int32_t limit)
{
	int k = (limit - COURSE_LOWEST * OCTAVE + LEVEL - 1) / LEVEL;

	return k < 0 ? 0 : k;
}

static uint64_t count_above(const struct levels *l, int32_t limit)
{
	uint64_t sum = 0;

	for (int k = level_above(limit); k < COURSE_LEVELS; k++)
		sum += l->counts[k];
	return sum;
}

/* --- sums ----------------------------------------------------------------- */

/* bins from first on, without last */
struct episode {
	uint32_t first, last;
	enum course_op op;
};

struct sums {
	double bins;
	double count, bytes, sequential, wait[COURSE_WAITS], took;
	uint64_t longest[COURSE_WAITS];
};

static void add_cell(struct sums *s, const struct course_cell *cell)
{
	s->count += cell->count;
	s->bytes += (double)cell->bytes;
	s->sequential += cell->sequential;
	for (int w = 0; w < COURSE_WAITS; w++) {
		s->wait[w] += (double)cell->waits[w];
		s->took += (double)cell->waits[w];
		if (cell->longest[w] > s->longest[w])
			s->longest[w] = cell->longest[w];
	}
}

static void join_sums(struct sums *to, struct sums one)
{
	to->bins += one.bins;
	to->count += one.count;
	to->took += one.took;
	for (int w = 0; w < COURSE_WAITS; w++)
		to->wait[w] += one.wait[w];
}

/* during an episode, */
static struct sums sums_then(const struct course_stream *t,
			     const struct episode *e)
{
	struct sums s = { .bins = e->last - e->first };

	for (uint32_t i = e->first; i < e->last; i++)
		add_cell(&s, &t->cells[i]);
	return s;
}

/* and in bins that are not odd */
static struct sums sums_else(const struct course *c, const bool *odd,
			     const struct course_stream *t)
{
	struct sums s = { .bins = 0 };

	for (uint32_t i = 0; i < c->used; i++) {
		if (odd[i])
			continue;
		s.bins++;
		add_cell(&s, &t->cells[i]);
	}
	return s;
}

static double per_bin(double what, const struct sums *s)
{
	return s->bins > 0 ? what / s->bins : 0;
}

static double per_io(double what, const struct sums *s)
{
	return s->count > 0 ? what / s->count : 0;
}

static const uint32_t percentiles[] = { 50, 90 };

enum { PERCENTILES = sizeof(percentiles) / sizeof(percentiles[0]) };

/* --- the search ----------------------------------------------------------- */

struct search {
	const struct course *c;
	struct changes *found;
	/* by operation: bins that are odd, and bins joined for it */
	bool odd[COURSE_OPS][COURSE_BINS];
	bool high[COURSE_OPS][COURSE_BINS];	/* odd beside an odd one */
	uint32_t per[COURSE_OPS];
	int32_t limits[COURSE_OPS][PERCENTILES];	/* 0: none */
	bool any_odd[COURSE_BINS];	/* by any */
	uint32_t counts[COURSE_OPS][COURSE_BINS];	/* of I/Os */
	struct sums other[COURSE_STREAMS];	/* in bins that are not odd */
	struct sums all[COURSE_OPS];
};

static uint64_t count_ios(const struct search *q, enum course_op op,
			  uint32_t group, uint32_t per)
{
	uint64_t sum = 0;

	for (uint32_t i = group * per; i < (group + 1) * per; i++)
		sum += i < q->c->used ? q->counts[op][i] : 0;
	return sum;
}

/* the median of groups that have any */
static uint64_t median_count(const struct search *q, enum course_op op,
			     uint32_t per)
{
	int32_t counts[COURSE_BINS];
	uint32_t some = 0;

	for (uint32_t g = 0; g * per < q->c->used; g++) {
		uint64_t count = count_ios(q, op, g, per);

		if (count)
			counts[some++] = (int32_t)(count < INT32_MAX
						   ? count : INT32_MAX);
	}
	return some ? (uint64_t)middle(counts, some, 50) : 0;
}

/* bins to join for an operation; 0: too little I/O */
static uint32_t bins_to_join(const struct search *q, enum course_op op)
{
	uint32_t per = 1;

	if (count_ios(q, op, 0, COURSE_BINS) < IOS_ENOUGH)
		return 0;
	while (q->c->used / (2 * per) >= BINS_MANY &&
	       median_count(q, op, per) < MANY)
		per *= 2;
	return per;
}

static void make_series(const struct course *c, enum course_op op,
			uint32_t per, uint32_t percent, struct series *s)
{
	*s = (struct series){ .per = per,
			      .count = (c->used + per - 1) / per };
	for (uint32_t g = 0; g < s->count; g++) {
		struct levels l = levels_of(c, op, g, per);

		s->known[g] = l.all >= ENOUGH;
		if (s->known[g])
			s->values[g] = percentile(&l, percent);
	}
}

static void mark_group(bool odd[COURSE_BINS], const struct series *s,
		       uint32_t group)
{
	for (uint32_t i = 0; i < s->per; i++)
		if (group * s->per + i < COURSE_BINS)
			odd[group * s->per + i] = true;
}

/* the bins in which a percentile of an operation is high */
static void mark_percentile(struct search *q, enum course_op op, int which)
{
	struct series s;
	struct usual u;
	int32_t limit;

	make_series(q->c, op, q->per[op], percentiles[which], &s);
	if (!find_usual(&s, &u))
		return;
	limit = limit_of(&u, THREEFOLD);
	if (limit < LEAST)
		limit = LEAST;
	q->limits[op][which] = limit;
	for (uint32_t g = 0; g < s.count; g++) {
		struct levels l;

		if (!s.known[g] || s.values[g] < (u.value + limit) / 2)
			continue;
		mark_group(q->high[op], &s, g);
		if (s.values[g] < limit)
			continue;
		l = levels_of(q->c, op, g, s.per);
		if (count_above(&l, limit) >= SLOW_ENOUGH)
			mark_group(q->odd[op], &s, g);
	}
}

/* Bins that are half as high are odd next to odd ones. */
static void spread_out(bool odd[COURSE_BINS], const bool high[COURSE_BINS])
{
	for (uint32_t i = 1; i < COURSE_BINS; i++)
		odd[i] |= high[i] && odd[i - 1];
	for (uint32_t i = COURSE_BINS - 1; i--;)
		odd[i] |= high[i] && odd[i + 1];
}

static void mark_operation(struct search *q, enum course_op op)
{
	q->per[op] = bins_to_join(q, op);
	if (!q->per[op])
		return;
	for (int i = 0; i < PERCENTILES; i++)
		mark_percentile(q, op, i);
	spread_out(q->odd[op], q->high[op]);
	for (uint32_t i = 0; i < COURSE_BINS; i++)
		q->any_odd[i] |= q->odd[op][i];
}

/* --- what an episode is of ------------------------------------------------ */

/* a stream then and otherwise */
struct contrast {
	const struct course_stream *t;
	struct sums then, other;
};

struct scene {
	const struct course *c;
	const bool *odd;	/* bins that do not count as usual */
	const struct episode *e;
	uint32_t count;
	struct contrast list[COURSE_STREAMS];
	double rate, bytes;	/* a bin otherwise has, but flushes */
	double excess[COURSE_WAITS];	/* ns, of the episode's operation */
};

static double growth(const struct contrast *c)
{
	return per_bin(c->then.count, &c->then) -
	       per_bin(c->other.count, &c->other);
}

static double byte_growth(const struct contrast *c)
{
	return per_bin(c->then.bytes, &c->then) -
	       per_bin(c->other.bytes, &c->other);
}

/* what its I/Os waited beyond what they do otherwise */
static double excess_of(const struct contrast *c, int wait)
{
	return c->then.wait[wait] -
	       c->then.count * per_io(c->other.wait[wait], &c->other);
}

static double excess_in_all(const struct contrast *c)
{
	return c->then.took - c->then.count * per_io(c->other.took, &c->other);
}

static void set_scene(struct scene *s, const struct course *course,
		      const bool *odd, const struct sums *other,
		      const struct episode *e)
{
	*s = (struct scene){ .c = course, .odd = odd, .e = e,
			     .count = course->stream_count };
	for (uint32_t i = 0; i < s->count; i++) {
		struct contrast *c = &s->list[i];

		c->t = &course->streams[i];
		c->then = sums_then(c->t, e);
		c->other = other ? other[i] : sums_else(course, odd, c->t);
		if (c->t->op != COURSE_FLUSH) {
			s->rate += per_bin(c->other.count, &c->other);
			s->bytes += per_bin(c->other.bytes, &c->other);
		}
		for (int w = 0; w < COURSE_WAITS && c->t->op == e->op; w++)
			s->excess[w] += excess_of(c, w);
	}
}

static enum course_wait longest_wait(const struct scene *s)
{
	int most = 0;

	for (int w = 1; w < COURSE_WAITS; w++)
		if (s->excess[w] > s->excess[most])
			most = w;
	return (enum course_wait)most;
}

/* how much more load a stream is: as a part of all that there is otherwise */
static double load_of(const struct scene *s, const struct contrast *c)
{
	double ios = growth(c) / (s->rate > 0 ? s->rate : 1e-9);
	double bytes = byte_growth(c) / (s->bytes > 0 ? s->bytes : 1e-9);

	return ios > bytes ? ios : bytes;
}

/* of a stream that does at least twice as much as otherwise */
static bool has_grown(const struct contrast *c)
{
	return growth(c) > per_bin(c->other.count, &c->other) ||
	       byte_growth(c) > per_bin(c->other.bytes, &c->other);
}

/* the stream that is most of the new load; NULL: there is none */
static const struct contrast *find_load(const struct scene *s)
{
	const struct contrast *most = NULL;

	for (uint32_t i = 0; i < s->count; i++) {
		const struct contrast *c = &s->list[i];

		if (c->t->op < COURSE_OPS && c->t->op != COURSE_FLUSH &&
		    has_grown(c) && load_of(s, c) >= 0.5 &&
		    c->then.count >= EPISODE_ENOUGH &&
		    (!most || load_of(s, c) > load_of(s, most)))
			most = c;
	}
	return most;
}

/* the stream that flushes most of all flushes that are new */
static const struct contrast *find_flushes(const struct scene *s,
					   const struct contrast *load)
{
	const struct contrast *most = NULL;

	for (uint32_t i = 0; i < s->count; i++) {
		const struct contrast *c = &s->list[i];

		if (c->t->op == COURSE_FLUSH &&
		    (!most || growth(c) > growth(most)))
			most = c;
	}
	if (!most || most->then.count < EPISODE_ENOUGH ||
	    growth(most) < 2 * per_bin(most->other.count, &most->other) ||
	    growth(most) < s->rate / 10 ||
	    (load && growth(most) < growth(load) / 4))
		return NULL;
	return most;
}

/* the greatest depth that a bin has, on average */
static double depth_then(const struct scene *s)
{
	double sum = 0;

	for (uint32_t i = s->e->first; i < s->e->last; i++)
		sum += s->c->depths[i];
	return sum / (s->e->last - s->e->first);
}

static double depth_else(const struct scene *s)
{
	double sum = 0, bins = 0;

	for (uint32_t i = 0; i < s->c->used; i++) {
		if (s->odd[i])
			continue;
		sum += s->c->depths[i];
		bins++;
	}
	return bins > 0 ? sum / bins : 0;
}

static enum change_cause cause_of(const struct scene *s,
				  enum course_wait wait)
{
	static const enum change_cause causes[COURSE_WAITS] = {
		[COURSE_REQUEST] = CHANGE_THROTTLED,
		[COURSE_PLUG] = CHANGE_HELD,
		[COURSE_SCHEDULER] = CHANGE_HELD,
		[COURSE_ISSUE] = CHANGE_HELD,
		[COURSE_FLUSHES] = CHANGE_SLOWER,
		[COURSE_DEVICE] = CHANGE_SLOWER,
	};

	if (causes[wait] == CHANGE_HELD && depth_then(s) > 0 &&
	    depth_then(s) * 2 <= depth_else(s))
		return CHANGE_DEPTH;
	return causes[wait];
}

/* --- changes -------------------------------------------------------------- */

static const struct contrast *find_victim(const struct scene *s)
{
	const struct contrast *most = NULL;

	for (uint32_t i = 0; i < s->count; i++)
		if (s->list[i].t->op == s->e->op &&
		    (!most || excess_in_all(&s->list[i]) > excess_in_all(most)))
			most = &s->list[i];
	return most;
}

/* thousandths of the excess that are a stream's */
static uint32_t share_of(const struct scene *s, const struct contrast *c)
{
	double sum = 0;

	for (int w = 0; w < COURSE_WAITS; w++)
		sum += s->excess[w];
	return sum > 0 && excess_in_all(c) > 0
		? (uint32_t)(excess_in_all(c) / sum * 1000) : 0;
}

static uint64_t ns_of_bins(const struct course *c, uint32_t bins)
{
	return (uint64_t)bins << c->shift;
}

/* of an average bin, times 1,000 */
static uint64_t rate_of(const struct course *c, const struct sums *s)
{
	double seconds = (double)(1ULL << c->shift) / 1e9;

	return (uint64_t)(per_bin(s->count, s) / seconds * 1000);
}

/* without the bins at both ends, in which it begins and ends */
static struct sums sums_within(const struct course_stream *t,
			       const struct episode *e)
{
	struct episode within = *e;

	if (e->last - e->first >= 4) {
		within.first++;
		within.last--;
	}
	return sums_then(t, &within);
}

static struct change make_change(const struct scene *s,
				 enum change_cause cause,
				 const struct contrast *culprit)
{
	const struct contrast *victim = find_victim(s);
	const struct contrast *who = culprit ? culprit : victim;
	const struct course *c = s->c;
	struct sums within = sums_within(who->t, s->e);
	struct change one = {
		.cause = cause, .times = 1,
		.spans = { { c->begin + ns_of_bins(c, s->e->first),
			     c->begin + ns_of_bins(c, s->e->last) } },
		.culprit = culprit ? culprit->t : NULL,
		.victim = victim->t,
		.share = share_of(s, victim),
		.slow = (uint64_t)per_io(victim->then.took, &victim->then),
		.usual = (uint64_t)per_io(victim->other.took, &victim->other),
		.rate = rate_of(c, &within),
		.rate_else = rate_of(c, &who->other),
		.size = (uint64_t)per_io(within.bytes, &within),
		.size_else = (uint64_t)per_io(who->other.bytes, &who->other),
		.depth = (uint32_t)(depth_then(s) + 0.5),
		.depth_else = (uint32_t)(depth_else(s) + 0.5),
	};

	for (int w = 0; w < COURSE_WAITS; w++) {
		one.longest[w] = victim->then.longest[w];
		one.excesses[w] = s->excess[w] > 0 ? (uint64_t)s->excess[w] : 0;
	}
	return one;
}

static void add_waits(struct change *to, const struct change *one)
{
	for (int w = 0; w < COURSE_WAITS; w++) {
		to->excesses[w] += one->excesses[w];
		if (to->victim == one->victim &&
		    one->longest[w] > to->longest[w])
			to->longest[w] = one->longest[w];
	}
}

/* two of one cause; the one with more excess gives the numbers */
static void join_changes(struct change *to, const struct change *one)
{
	struct change both = one->excess > to->excess ? *one : *to;
	struct finding_span last = one->spans[0];

	memcpy(both.spans, to->spans, sizeof(both.spans));
	both.excess = to->excess + one->excess;
	both.times = to->times + 1;
	add_waits(&both, one->excess > to->excess ? to : one);
	if (to->times < FINDING_SPANS)
		both.spans[to->times] = last;
	*to = both;
}

static uint64_t length(const struct finding_span *s)
{
	return s->until - s->from;
}

/* Episodes of reads and writes at one time are one; so are two with less
 * between them than half of either. */
static bool is_one(const struct finding_span *a, const struct finding_span *b)
{
	uint64_t between = a->until < b->from ? b->from - a->until
			 : b->until < a->from ? a->from - b->until : 0;
	uint64_t least = length(a) < length(b) ? length(a) : length(b);

	return between <= least / 2;
}

static bool overlaps(const struct change *a, const struct change *b)
{
	for (uint32_t i = 0; i < a->times && i < FINDING_SPANS; i++)
		if (is_one(&a->spans[i], &b->spans[0]))
			return true;
	return false;
}

static void widen(struct change *to, const struct change *one)
{
	for (uint32_t i = 0; i < to->times && i < FINDING_SPANS; i++) {
		struct finding_span *s = &to->spans[i];

		if (!is_one(s, &one->spans[0]))
			continue;
		if (one->spans[0].from < s->from)
			s->from = one->spans[0].from;
		if (one->spans[0].until > s->until)
			s->until = one->spans[0].until;
	}
	to->excess += one->excess;
	add_waits(to, one);
}

static void add_change(struct changes *found, const struct change *one)
{
	for (uint32_t i = 0; i < found->count; i++) {
		struct change *to = &found->list[i];

		if (to->cause != one->cause || to->culprit != one->culprit)
			continue;
		if (overlaps(to, one))
			widen(to, one);
		else
			join_changes(to, one);
		return;
	}
	if (found->count < CHANGES_MAX)
		found->list[found->count++] = *one;
}

/* --- episodes ------------------------------------------------------------- */

/* Requests that wait in any case, now more, now less, are no change. */
static bool is_usual(const struct scene *s, const struct sums *all)
{
	enum course_wait wait = longest_wait(s);

	return wait != COURSE_DEVICE && wait != COURSE_FLUSHES &&
	       s->excess[wait] * 5 < all->wait[wait];
}

/*
 * The natural logarithm of how likely it is that k or more of n I/Os are slow,
 * each at p, or of something greater (Chernoff's bound).  A product of n terms
 * would exceed a double on a busy disk.
 */
static double log_chance(double n, double k, double p)
{
	double share = k / n, rest = 1 - share;

	if (share <= p)
		return 0;
	return -n * (share * log(share / p) +
		     (rest > 0 ? rest * log(rest / (1 - p)) : 0));
}

/* I/Os of an operation in bins, odd or not: slow ones and all */
struct slow {
	uint64_t slow, all;
};

static void add_slow(struct slow *s, const struct search *q,
		     enum course_op op, uint32_t bin, int32_t limit)
{
	const uint32_t *counts = q->c->latency[op][bin];

	s->all += q->counts[op][bin];
	for (int k = level_above(limit); k < COURSE_LEVELS; k++)
		s->slow += counts[k];
}

/* whether chance alone would hardly make as many of them slow */
static bool is_no_chance(const struct search *q, const struct episode *e,
			 int32_t limit)
{
	struct slow then = { 0, 0 }, other = { 1, 1 };

	for (uint32_t i = 0; i < q->c->used; i++)
		if (i >= e->first && i < e->last)
			add_slow(&then, q, e->op, i, limit);
		else if (!q->odd[e->op][i])
			add_slow(&other, q, e->op, i, limit);
	return then.all && log_chance((double)then.all, (double)then.slow,
				      (double)other.slow /
				      (double)other.all) < SELDOM;
}

static bool is_certain(const struct search *q, const struct episode *e)
{
	for (int i = 0; i < PERCENTILES; i++)
		if (q->limits[e->op][i] &&
		    is_no_chance(q, e, q->limits[e->op][i]))
			return true;
	return false;
}

static void judge(struct search *q, const struct episode *e)
{
	struct scene s;
	const struct contrast *load, *flushes;
	const struct sums *all = &q->all[e->op];
	struct change one;
	double excess = 0, count = 0;

	set_scene(&s, q->c, q->any_odd, q->other, e);
	for (uint32_t i = 0; i < s.count; i++)
		if (s.list[i].t->op == e->op) {
			excess += excess_in_all(&s.list[i]);
			count += s.list[i].then.count;
		}
	if (count < EPISODE_ENOUGH || !is_certain(q, e) ||
	    excess * 50 < all->took)
		return;
	load = find_load(&s);
	flushes = find_flushes(&s, load);
	if (!load && !flushes && is_usual(&s, all))
		return;
	one = flushes ? make_change(&s, CHANGE_FLUSHES, flushes)
	      : load ? make_change(&s, CHANGE_BURST, load)
		     : make_change(&s, cause_of(&s, longest_wait(&s)), NULL);
	one.excess = (uint64_t)excess;
	add_change(q->found, &one);
}

/* at most one group of bins that are not odd is within an episode */
static uint32_t end_of(const bool *odd, uint32_t from, uint32_t used,
		       uint32_t gap)
{
	uint32_t last = from;

	for (uint32_t i = from; i < used && i <= last + gap; i++)
		if (odd[i])
			last = i + 1;
	return last < used ? last : used;
}

/* what all episodes are compared with */
static void sum_up(struct search *q)
{
	const struct course *c = q->c;

	for (uint32_t i = 0; i < c->stream_count; i++) {
		const struct course_stream *t = &c->streams[i];

		q->other[i] = sums_else(c, q->any_odd, t);
		if (t->op < COURSE_OPS)
			join_sums(&q->all[t->op],
				  sums_then(t, &(struct episode){
					.last = c->used }));
	}
}

static void count_bins(struct search *q)
{
	for (int op = 0; op < COURSE_DISCARD; op++)
		for (uint32_t i = 0; i < q->c->used; i++)
			for (int k = 0; k < COURSE_LEVELS; k++)
				q->counts[op][i] += q->c->latency[op][i][k];
}

static void judge_operation(struct search *q, enum course_op op)
{
	uint32_t used = q->c->used, i = 0;

	while (i < used) {
		struct episode e = { .first = i, .op = op };

		if (!q->odd[op][i]) {
			i++;
			continue;
		}
		e.last = i = end_of(q->odd[op], i, used, q->per[op]);
		judge(q, &e);
	}
}

/* --- smaller I/Os --------------------------------------------------------- */

/* how small a stream's I/Os are: the negative logarithm of their size */
static void make_sizes(const struct course *c, const struct course_stream *t,
		       uint32_t per, struct series *s)
{
	*s = (struct series){ .per = per,
			      .count = (c->used + per - 1) / per };
	for (uint32_t g = 0; g < s->count; g++) {
		struct sums sums = sums_then(t, &(struct episode){
			.first = g * per,
			.last = (g + 1) * per < c->used ? (g + 1) * per
							: c->used });

		s->known[g] = sums.count >= ENOUGH;
		if (s->known[g])
			s->values[g] = -log_of((uint64_t)per_io(sums.bytes,
								&sums));
	}
}

static uint32_t known_of(const struct series *s)
{
	uint32_t count = 0;

	for (uint32_t g = 0; g < s->count; g++)
		count += s->known[g];
	return count;
}

static bool mark_small(const struct course *c, const struct course_stream *t,
		       bool odd[COURSE_BINS], uint32_t *per)
{
	struct series s;
	struct usual u;
	bool any = false;

	make_sizes(c, t, *per = 1, &s);
	while (known_of(&s) < s.count / 2 && c->used / (2 * *per) >= BINS_MANY)
		make_sizes(c, t, *per *= 2, &s);
	if (!find_usual(&s, &u))
		return false;
	for (uint32_t g = 0; g < s.count; g++)
		if (s.known[g] && s.values[g] >= limit_of(&u, FOURFOLD)) {
			mark_group(odd, &s, g);
			any = true;
		}
	return any;
}

/* In sequence, and at least twice as many: what one I/O did takes several. */
static void judge_small(struct search *q, const struct course_stream *t,
			const bool *odd, const struct episode *e)
{
	struct scene s;
	const struct contrast *c;
	struct change one;

	set_scene(&s, q->c, odd, NULL, e);
	c = &s.list[t - q->c->streams];
	if (c->then.count < EPISODE_ENOUGH || !c->other.count ||
	    c->then.sequential * 5 < c->then.count * 3 ||
	    growth(c) < per_bin(c->other.count, &c->other))
		return;
	one = make_change(&s, CHANGE_SMALLER, c);
	one.victim = t;
	one.share = 1000;
	one.slow = (uint64_t)per_io(c->then.took, &c->then);
	one.usual = (uint64_t)per_io(c->other.took, &c->other);
	one.excess = (uint64_t)c->then.took;
	add_change(q->found, &one);
}

static void judge_sizes(struct search *q, const struct course_stream *t)
{
	bool odd[COURSE_BINS] = { false };
	uint32_t used = q->c->used, per;

	if (t->op > COURSE_WRITE || !mark_small(q->c, t, odd, &per))
		return;
	for (uint32_t i = 0; i < used;) {
		struct episode e = { .first = i, .op = t->op };

		if (!odd[i++])
			continue;
		e.last = i = end_of(odd, e.first, used, per);
		judge_small(q, t, odd, &e);
	}
}

/* --- all of them ---------------------------------------------------------- */

static int by_excess(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	return (x->excess < y->excess) - (x->excess > y->excess);
}

static int by_start(const void *a, const void *b)
{
	const struct finding_span *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

/* Drops what has no cause and is small: the edges of other changes. */
static void drop_remains(struct changes *found)
{
	uint64_t most = found->count ? found->list[0].excess : 0;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < found->count; i++)
		if (found->list[i].culprit || found->list[i].excess > most / 4)
			found->list[kept++] = found->list[i];
	found->count = kept;
}

static void sort(struct changes *found)
{
	qsort(found->list, found->count, sizeof(found->list[0]), by_excess);
	drop_remains(found);
	for (uint32_t i = 0; i < found->count; i++) {
		struct change *c = &found->list[i];

		qsort(c->spans, c->times < FINDING_SPANS ? c->times
							  : FINDING_SPANS,
		      sizeof(c->spans[0]), by_start);
	}
}

int changes_find(struct changes *found, const struct course *c)
{
	struct search *q = calloc(1, sizeof(*q));

	if (!q)
		return -ENOMEM;
	q->c = c;
	q->found = found;
	if (ns_of_bins(c, c->used) < SHORTEST)
		goto out;
	count_bins(q);
	for (int op = 0; op < COURSE_DISCARD; op++)
		mark_operation(q, op);
	sum_up(q);
	for (int op = 0; op < COURSE_DISCARD; op++)
		judge_operation(q, op);
	for (uint32_t i = 0; i < c->stream_count; i++)
		judge_sizes(q, &c->streams[i]);
	sort(found);
out:
	free(q);
	return 0;
}

enum course_wait change_wait(const struct change *c)
{
	int most = COURSE_DEVICE;
	uint64_t sum = 0;

	for (int w = 0; w < COURSE_WAITS; w++)
		sum += c->excesses[w];
	for (int w = 0; w < COURSE_WAITS; w++)
		if (c->excesses[w] >= sum / 5 &&
		    c->longest[w] > c->longest[most])
			most = w;
	return (enum course_wait)most;
}

const struct change *changes_of(const struct changes *found,
				enum change_cause cause)
{
	for (uint32_t i = 0; i < found->count; i++)
		if (found->list[i].cause == cause)
			return &found->list[i];
	return NULL;
}
