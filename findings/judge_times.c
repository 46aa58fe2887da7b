/* SPDX-License-Identifier: GPL-2.0-only */
/* Rules about how long requests take, when and where; see judge.h. */
#include "findings/judge.h"
#include "request/io.h"

/* --- judge others --------------------------------------------------------- */

static bool waits_behind(const struct behind_kind *k,
			 const struct rule_limits *l, struct finding *f)
{
	struct behind_proof proof;
	bool proven = behind_proves(k, l->ios, l->ratio, l->span, &proof);

	f->numbers[FINDING_TIMES] = k->count;
	if (!proven)
		return false;
	f->numbers[FINDING_COUNT] = proof.count;
	f->numbers[FINDING_SLOW] = proof.during;
	f->numbers[FINDING_USUAL] = proof.else_;
	f->numbers[FINDING_RATIO] =
		wide_share(proof.during, 1000, proof.else_);
	f->time_lost = judge_clamp(wide_product(proof.count,
						proof.during - proof.else_));
	return k->count >= l->count;
}

bool judge_behind_writes(const struct evidence *e, const struct rule *r,
			 struct finding *f)
{
	judge_who(e, PEOPLE_LARGE_WRITES, f);
	return waits_behind(&e->behind.kinds[BEHIND_WRITES], &r->limits, f);
}

bool judge_behind_discards(const struct evidence *e, const struct rule *r,
			   struct finding *f)
{
	return waits_behind(&e->behind.kinds[BEHIND_DISCARDS], &r->limits, f);
}

bool judge_neighbour(const struct evidence *e, const struct rule *r,
		     struct finding *f)
{
	for (int i = BEHIND_PROCESSES; i < BEHIND_WHATS; i++) {
		const struct behind_kind *k = &e->behind.kinds[i];
		const struct person *who;

		if (!k->followed)
			continue;
		who = &e->people.list[k->person];
		if (!judge_reaches(who->bytes, r->limits.share,
				   e->shape.bytes))
			continue;
		f->numbers[FINDING_CULPRIT] = who->pid;
		f->numbers[FINDING_SHARE] = judge_share(who->bytes,
							e->shape.bytes);
		if (waits_behind(k, &r->limits, f))
			return true;
	}
	return false;
}

bool judge_one_cpu(const struct evidence *e, const struct rule *r,
		   struct finding *f)
{
	uint64_t count = e->cpus.count;
	struct cpus_share share;

	cpus_share(&e->cpus, &share);
	f->numbers[FINDING_COUNT] = count;
	f->numbers[FINDING_RATE] = judge_rate(e, count);
	if (!count)
		return false;
	f->numbers[FINDING_CPU] = share.cpu;
	f->numbers[FINDING_CPUS] = share.issuers;
	f->numbers[FINDING_SHARE] = judge_share(share.completions, count);
	f->numbers[FINDING_OFTEN] = judge_share(share.issues, count);
	f->numbers[FINDING_ALIKE] = share.alike;
	return count >= r->limits.ios &&
	       f->numbers[FINDING_RATE] >= r->limits.rate * 1000 &&
	       judge_reaches(share.completions, r->limits.share, count) &&
	       f->numbers[FINDING_OFTEN] <= r->limits.often &&
	       share.alike >= r->limits.ratio;
}

/* --- judge shape ---------------------------------------------------------- */

static bool is_sequential(const struct evidence *e, enum served_op op,
			  const struct rule_limits *l, struct finding *f)
{
	const struct shape_stream *s = &e->shape.streams[op];

	f->numbers[FINDING_OP] = op == SERVED_READ ? IO_READ : IO_WRITE;
	f->numbers[FINDING_COUNT] = s->sequential;
	f->numbers[FINDING_OF] = s->count;
	f->numbers[FINDING_OFTEN] = judge_share(s->merged, s->count);
	if (s->sizes.count)
		f->numbers[FINDING_BYTES] =
			histogram_kth_low(&s->sizes, s->sizes.count / 2 + 1);
	judge_who(e, op == SERVED_READ ? PEOPLE_SEQUENTIAL_READS
				       : PEOPLE_SEQUENTIAL_WRITES, f);
	return s->count >= l->ios &&
	       judge_reaches(s->sequential, l->share, s->count) &&
	       wide_less(wide_product(s->merged, 1000),
			 wide_product(s->count, l->often));
}

bool judge_small_sequential(const struct evidence *e, const struct rule *r,
			    struct finding *f)
{
	return is_sequential(e, SERVED_WRITE, &r->limits, f) ||
	       is_sequential(e, SERVED_READ, &r->limits, f);
}

/* what a request takes that need not wait for others: 9 in 10 take longer */
static uint64_t unhindered(const struct histogram *h)
{
	return histogram_kth(h, histogram_rank(h->count,
					       10 * HISTOGRAM_PERCENT));
}

/*
 * Whether requests of this size take hardly longer than small ones do, and how
 * long both take: then each cut costs what a request costs.  Where the time
 * goes with the bytes, cutting costs nothing.  Without smaller requests to
 * compare with, the size must do.
 */
static bool cut_costs(const struct evidence *e, enum served_op op,
		      uint32_t bytes, const struct rule_limits *l,
		      struct finding *f)
{
	const struct histogram *sizes = e->times.device[op];
	int size = served_size(bytes), small = 0;
	uint64_t fixed, whole;

	if (sizes[size].count < l->count)
		return false;
	while (small + 1 < size && sizes[small].count < l->count)
		small++;
	if (small + 1 >= size)
		return bytes < l->bytes;
	fixed = unhindered(&sizes[small]);
	whole = unhindered(&sizes[size]);
	f->numbers[FINDING_USUAL] = fixed;
	f->numbers[FINDING_SLOW] = whole;
	return !wide_less(wide_product(fixed, 1000),
			  wide_product(whole, l->ratio));
}

bool judge_split(const struct evidence *e, const struct rule *r,
		 struct finding *f)
{
	const struct shape *h = &e->shape;
	uint64_t cuts = h->parts > h->wholes ? h->parts - h->wholes : 0;
	uint64_t size = shape_part_size(h);

	f->numbers[FINDING_COUNT] = cuts;
	f->numbers[FINDING_SHARE] = judge_share(h->part_bytes, h->bytes);
	if (size)
		f->numbers[FINDING_BYTES] = size;
	if (size && size == e->facts.largest)
		f->numbers[FINDING_LIMIT] = e->facts.largest;
	judge_who(e, PEOPLE_PARTS, f);
	return cuts >= r->limits.count &&
	       judge_reaches(h->part_bytes, r->limits.share, h->bytes) &&
	       (cut_costs(e, SERVED_READ, (uint32_t)size, &r->limits, f) ||
		cut_costs(e, SERVED_WRITE, (uint32_t)size, &r->limits, f));
}

bool judge_misaligned(const struct evidence *e, const struct rule *r,
		      struct finding *f)
{
	uint32_t block = e->facts.block ? e->facts.block
					: (uint32_t)r->limits.bytes;
	uint64_t count = shape_misaligned(&e->shape, block);

	f->numbers[FINDING_COUNT] = count;
	f->numbers[FINDING_OF] = e->shape.writes;
	f->numbers[FINDING_SHARE] = judge_share(count, e->shape.writes);
	f->numbers[FINDING_BLOCK] = block;
	judge_who(e, PEOPLE_MISALIGNED, f);
	return e->shape.writes >= r->limits.ios &&
	       judge_reaches(count, r->limits.share, e->shape.writes);
}

bool judge_writeback(const struct evidence *e, const struct rule *r,
		     struct finding *f)
{
	const struct shape *h = &e->shape;

	f->numbers[FINDING_OF] = h->writes;
	f->numbers[FINDING_BYTES] = h->kworker_bytes;
	f->numbers[FINDING_SHARE] = judge_share(h->kworker_bytes,
						h->write_bytes);
	return h->writes >= r->limits.ios && h->kworker_bytes &&
	       judge_reaches(h->kworker_bytes, r->limits.share,
			     h->write_bytes);
}

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
