/* SPDX-License-Identifier: GPL-2.0-only */
/* Each rule's test of the evidence, then the table of rules; see rules.h. */
#include "base/wide.h"
#include "findings/evidence.h"
#include "findings/rules.h"
#include "request/io.h"

/* --- numbers ------------------------------------------------------------- */

/* thousandths that part is of whole, the nearest; or 0 of nothing */
static uint64_t judge_sum_share(struct wide part, struct wide whole)
{
	struct wide thousandths = wide_plus(wide_times(part, 1000),
					    wide_over(whole, 2));

	return wide_is_zero(whole) ? 0 :
	       wide_divide(thousandths, whole, NULL).low;
}

static uint64_t judge_share(uint64_t part, uint64_t whole)
{
	return judge_sum_share(wide_of(part), wide_of(whole));
}

/* part >= share thousandths of whole, without rounding */
static bool judge_sum_reaches(struct wide part, uint64_t share,
			      struct wide whole)
{
	return !wide_less(wide_times(part, 1000), wide_times(whole, share));
}

static bool judge_reaches(uint64_t part, uint64_t share, uint64_t whole)
{
	return judge_sum_reaches(wide_of(part), share, wide_of(whole));
}

/* a sum as a number that a finding can have */
static uint64_t judge_clamp(struct wide sum)
{
	return wide_less(sum, wide_of(UINT64_MAX)) ? sum.low : UINT64_MAX - 1;
}

/* things a second, times 1,000 */
static uint64_t judge_rate(const struct evidence *e, uint64_t count)
{
	struct wide rate = wide_over(wide_product(count, 1000000000000),
				     evidence_length(e));

	return judge_clamp(rate);
}

static const uint64_t AROUND = 200000000;	/* ns that are worth a look */

/* one more time when it is so, if there is room */
static void judge_span(struct finding *f, uint64_t from, uint64_t until)
{
	if (f->span_count < FINDING_SPANS)
		f->spans[f->span_count++] = (struct finding_span){ from,
								   until };
}

/* the time to show: one of these, and some around it */
static void judge_look(struct finding *f, const struct finding_span *s)
{
	f->numbers[FINDING_FROM] = s->from;
	f->numbers[FINDING_UNTIL] = s->until;
	f->numbers[FINDING_LOOK_FROM] = s->from > AROUND ? s->from - AROUND : 0;
	f->numbers[FINDING_LOOK_UNTIL] = s->until + AROUND;
}

/* the processes with most of it */
static void judge_who(const struct evidence *e, enum processes_what what,
		      struct finding *f)
{
	processes_most(&e->processes, what, &f->numbers[FINDING_PID],
		    &f->numbers[FINDING_PID2]);
}

/* --- waits --------------------------------------------------------------- */

static bool judge_flushes(const struct evidence *e, const struct rule *r,
			  struct finding *f)
{
	const struct flight *l = &e->flight;
	uint64_t requests = l->flushes.count, length = evidence_length(e);
	/* one flush request may do for several that asked, or two for one */
	uint64_t count = e->flushes ? e->flushes : requests;

	f->numbers[FINDING_COUNT] = count;
	f->numbers[FINDING_TIMES] = requests;
	f->numbers[FINDING_RATE] = judge_rate(e, count);
	f->numbers[FINDING_SHARE] = judge_share(l->flushed, length);
	f->numbers[FINDING_USUAL] = times_median(&l->flushes);
	judge_who(e, PROCESSES_FLUSHES, f);
	f->time_lost = l->flushed;
	return count >= r->limits.count &&
	       judge_reaches(l->flushed, r->limits.share, length) &&
	       f->numbers[FINDING_RATE] >= r->limits.rate * 1000;
}

/* Much of all time is spent there, and by more than one request. */
static bool waits_there(const struct evidence *e, enum delays_where where,
			const struct rule_limits *l, struct finding *f)
{
	const struct delays *w = &e->delays;
	struct wide sum = w->sums[where], total = w->total;

	f->numbers[FINDING_OF] = w->counts[where];
	f->numbers[FINDING_SHARE] = judge_sum_share(sum, total);
	f->numbers[FINDING_OFTEN] = judge_share(w->often[where],
						w->counts[where]);
	f->time_lost = judge_clamp(sum);
	return w->counts[where] >= l->ios && !wide_is_zero(total) &&
	       judge_sum_reaches(sum, l->share, total) &&
	       judge_reaches(w->often[where], l->often, w->counts[where]);
}

static bool judge_starved(const struct evidence *e, const struct rule *r,
			  struct finding *f)
{
	return waits_there(e, DELAYS_REQUEST, &r->limits, f);
}

static bool judge_plug_held(const struct evidence *e, const struct rule *r,
			    struct finding *f)
{
	uint64_t held = e->delays.often[DELAYS_PLUG];

	judge_who(e, PROCESSES_PLUGGED, f);
	if (held)
		f->numbers[FINDING_GAINED] = e->delays.gained * 1000 / held;
	return waits_there(e, DELAYS_PLUG, &r->limits, f);
}

/* Requests wait in the scheduler: at which depth? */
static bool waits_in_scheduler(const struct evidence *e, const struct rule *r,
			       struct finding *f, uint64_t *full,
			       uint64_t *room)
{
	bool there = waits_there(e, DELAYS_SCHEDULER, &r->limits, f);

	f->numbers[FINDING_MOST] = e->flight.most;
	if (!flight_waits(&e->flight, full, room))
		return false;
	return there && e->flight.most >= r->limits.depth;
}

static bool judge_queue_full(const struct evidence *e, const struct rule *r,
			     struct finding *f)
{
	uint64_t full = 0, room = 0;
	bool waits = waits_in_scheduler(e, r, f, &full, &room);

	f->numbers[FINDING_RATIO] = full;
	return waits && full >= r->limits.ratio;
}

static bool judge_scheduler_holds(const struct evidence *e,
				  const struct rule *r, struct finding *f)
{
	uint64_t full = 0, room = 0;
	bool waits = waits_in_scheduler(e, r, f, &full, &room);

	f->numbers[FINDING_RATIO] = room;
	return waits && room >= r->limits.ratio;
}

/* ns that one of these took */
static uint64_t mean_took(const struct flight_depth *d)
{
	return d->count ? d->took / d->count : 0;
}

/* Whether those that found a greater depth were larger: half as much again. */
static bool are_larger(const struct flight_depth *deep,
		       const struct flight_depth *low)
{
	struct wide more = wide_product(deep->bytes, low->count);
	struct wide less = wide_product(low->bytes, deep->count);

	return wide_less(wide_times(less, 3), wide_times(more, 2));
}

/*
 * Throughput is depth by latency.  What flat throughput is, the requests show
 * that found less than half of the usual depth: if those of the usual depth
 * take longer by the same factor, the device did no more with them.
 */
static bool judge_saturation(const struct evidence *e, const struct rule *r,
			     struct finding *f)
{
	uint32_t depth = flight_median_depth(&e->flight);
	uint64_t low_depths, deep_depths, share = 0;
	struct flight_depth low = flight_between(&e->flight, depth / 4,
						 depth / 2, &low_depths);
	struct flight_depth deep = flight_between(&e->flight, depth,
						  FLIGHT_DEPTHS, &deep_depths);
	uint64_t usual = mean_took(&low), slow = mean_took(&deep);
	struct wide less = wide_times(wide_product(low_depths, slow),
				      deep.count);
	struct wide more = wide_times(wide_product(deep_depths, usual),
				      low.count);

	f->numbers[FINDING_MOST] = depth;
	f->numbers[FINDING_FEW] = depth / 2;
	f->numbers[FINDING_COUNT] = low.count;
	f->numbers[FINDING_OF] = e->times.all.count;
	f->numbers[FINDING_RATE] = judge_rate(e, e->times.all.count);
	f->numbers[FINDING_USUAL] = usual;
	f->numbers[FINDING_SLOW] = slow;
	f->numbers[FINDING_PID] = processes_holder(&e->processes, &share);
	f->numbers[FINDING_SHARE] = share;
	if (slow > usual)
		f->time_lost = judge_clamp(wide_product(deep.count,
							slow - usual));
	return depth >= r->limits.depth && deep.count >= r->limits.ios &&
	       low.count >= r->limits.count && !are_larger(&deep, &low) &&
	       !wide_less(wide_of(slow), wide_over(
			wide_product(usual, r->limits.ratio), 1000)) &&
	       judge_sum_reaches(less, r->limits.share, more);
}

static bool judge_one_at_a_time(const struct evidence *e, const struct rule *r,
				struct finding *f)
{
	const struct flight *l = &e->flight;
	const struct histogram *all = &e->times.all;
	uint64_t usual = times_median(all), think = times_median(&l->thinks);
	uint64_t busy = flight_busy(l), alone = flight_alone(l);

	f->numbers[FINDING_COUNT] = all->count;
	f->numbers[FINDING_RATE] = judge_rate(e, all->count);
	f->numbers[FINDING_SHARE] = judge_share(busy, evidence_length(e));
	f->numbers[FINDING_OFTEN] = judge_share(alone, busy);
	f->numbers[FINDING_USUAL] = usual;
	if (l->thinks.count)
		f->numbers[FINDING_EVERY] = think;
	judge_who(e, PROCESSES_ALL, f);
	return all->count >= r->limits.ios && l->thinks.count &&
	       judge_reaches(busy, r->limits.share, evidence_length(e)) &&
	       judge_reaches(alone, r->limits.often, busy) &&
	       !wide_less(wide_product(usual, r->limits.ratio),
			  wide_product(think, 1000));
}

/* --- faults -------------------------------------------------------------- */

/* Beyond 1% the 99th percentile is not known above.  What is only open at an
 * end of the trace is missing, too, but not lost. */
static bool judge_lost(const struct evidence *e, const struct rule *r,
		       struct finding *f)
{
	uint64_t missing = e->facts.missing;
	uint64_t all = e->faults.measured + missing;

	f->numbers[FINDING_TIMES] = e->facts.lost;
	f->numbers[FINDING_COUNT] = missing;
	f->numbers[FINDING_OF] = all;
	f->numbers[FINDING_SHARE] = judge_share(missing, all);
	return e->facts.lost && missing &&
	       judge_reaches(missing, r->limits.share, all);
}

static bool judge_errors(const struct evidence *e, const struct rule *r,
			 struct finding *f)
{
	const struct faults *l = &e->faults;
	uint64_t *n = f->numbers;

	n[FINDING_COUNT] = l->failed;
	n[FINDING_OF] = l->completed;
	if (l->failed < r->limits.count)
		return false;
	for (int i = 0; i < 3 && l->errors[i].count; i++) {
		n[FINDING_ERRNO + i] = l->errors[i].error;
		n[FINDING_ERRORS1 + i] = l->errors[i].count;
	}
	n[FINDING_FIRST] = l->first;
	n[FINDING_LAST] = l->last;
	judge_who(e, PROCESSES_ERRORS, f);
	judge_span(f, l->from, l->until);
	judge_look(f, &f->spans[0]);
	f->time_lost = judge_clamp(l->lost);
	return true;
}

/* the I/Os in flight at the end, as findings/words.h has words for them */
static void judge_in_flight(const struct evidence *e, struct finding *f)
{
	const struct open_ios *o = &e->faults.open;

	f->numbers[FINDING_IN_FLIGHT] = o->count;
	f->numbers[FINDING_AGE] = e->to > o->oldest ? e->to - o->oldest : 0;
	f->numbers[FINDING_OP] = o->op;
	if (o->sector != FINDING_NONE)
		f->numbers[FINDING_FIRST] = o->sector;
	f->numbers[FINDING_PID] = o->pid;
}

/* How long the device has been quiet at the end, ns. */
static uint64_t quiet(const struct evidence *e)
{
	uint64_t last = e->faults.last_end > e->from ? e->faults.last_end
						     : e->from;

	return e->to > last ? e->to - last : 0;
}

/*
 * How old an I/O must be.  While others complete, far older than any of them
 * became; when nothing completes, far older than is usual.
 */
static uint64_t stuck_age(const struct evidence *e, const struct rule_limits *l)
{
	uint64_t common = quiet(e) >= l->span
		? times_percentile(&e->times, 90 * HISTOGRAM_PERCENT)
		: e->faults.longest;
	struct wide least = wide_over(wide_product(common, l->ratio), 1000);

	if (wide_less(least, wide_of(l->span)))
		return l->span;
	return judge_clamp(least);
}

/* Whether completions would be in the trace: a capture may leave them out, and
 * then I/O after I/O begins and none ends. */
static bool would_complete(const struct evidence *e,
			   const struct rule_limits *l)
{
	uint64_t newest = e->faults.open.newest;

	return e->completions ||
	       (e->to > newest && e->to - newest >= l->span / 2);
}

static uint64_t count_stuck(const struct evidence *e, uint64_t least,
			    struct wide *waited)
{
	const struct open_ios *o = &e->faults.open;
	uint64_t count = 0;

	for (size_t i = 0; i < o->kept; i++) {
		if (o->times[i] > e->to || e->to - o->times[i] < least)
			continue;
		count++;
		wide_add(waited, e->to - o->times[i]);
	}
	return count;
}

/* Where records were lost, so may have been a completion. */
static bool judge_stuck(const struct evidence *e, const struct rule *r,
			struct finding *f)
{
	uint64_t least = stuck_age(e, &r->limits), count;
	struct wide waited = { 0, 0 };

	count = count_stuck(e, least, &waited);
	f->numbers[FINDING_COUNT] = count;
	f->numbers[FINDING_OF] = e->faults.open.count;
	f->numbers[FINDING_LEAST] = least;
	f->numbers[FINDING_TIMES] = e->facts.lost;
	if (e->faults.open.count)
		judge_in_flight(e, f);
	if (!count || e->facts.lost || !would_complete(e, &r->limits))
		return false;
	judge_span(f, e->faults.open.oldest, e->to);
	f->numbers[FINDING_FROM] = e->faults.open.oldest;
	f->numbers[FINDING_UNTIL] = e->to;
	if (quiet(e) >= r->limits.span)
		f->numbers[FINDING_QUIET] = e->to - quiet(e);
	f->time_lost = judge_clamp(waited);
	return true;
}

static bool judge_requeued(const struct evidence *e, const struct rule *r,
			   struct finding *f)
{
	const struct faults *l = &e->faults;

	f->numbers[FINDING_COUNT] = l->requeues;
	f->numbers[FINDING_OF] = l->issues;
	f->numbers[FINDING_SHARE] = judge_share(l->requeues, l->issues);
	f->time_lost = judge_clamp(l->requeued);
	return l->issues >= r->limits.ios && l->requeues >= r->limits.count &&
	       judge_reaches(l->requeues, r->limits.share, l->issues);
}

/* --- interference -------------------------------------------------------- */

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

static bool judge_behind_writes(const struct evidence *e, const struct rule *r,
				struct finding *f)
{
	judge_who(e, PROCESSES_LARGE_WRITES, f);
	return waits_behind(&e->behind.kinds[BEHIND_WRITES], &r->limits, f);
}

static bool judge_behind_discards(const struct evidence *e,
				  const struct rule *r, struct finding *f)
{
	return waits_behind(&e->behind.kinds[BEHIND_DISCARDS], &r->limits, f);
}

static bool judge_neighbour(const struct evidence *e, const struct rule *r,
			    struct finding *f)
{
	for (int i = BEHIND_PROCESSES; i < BEHIND_WHATS; i++) {
		const struct behind_kind *k = &e->behind.kinds[i];
		const struct process *who;

		if (!k->followed)
			continue;
		who = &e->processes.list[k->process];
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

static bool judge_one_cpu(const struct evidence *e, const struct rule *r,
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

/* --- shape of requests --------------------------------------------------- */

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
	judge_who(e, op == SERVED_READ ? PROCESSES_SEQUENTIAL_READS
				       : PROCESSES_SEQUENTIAL_WRITES, f);
	return s->count >= l->ios &&
	       judge_reaches(s->sequential, l->share, s->count) &&
	       wide_less(wide_product(s->merged, 1000),
			 wide_product(s->count, l->often));
}

static bool judge_small_sequential(const struct evidence *e,
				   const struct rule *r, struct finding *f)
{
	return is_sequential(e, SERVED_WRITE, &r->limits, f) ||
	       is_sequential(e, SERVED_READ, &r->limits, f);
}

/* the time of a request that waits for none: the 10th percentile */
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

static bool judge_split(const struct evidence *e, const struct rule *r,
			struct finding *f)
{
	const struct shape *h = &e->shape;
	uint64_t cuts = h->parts > h->parents ? h->parts - h->parents : 0;
	uint64_t size = shape_part_size(h);

	f->numbers[FINDING_COUNT] = cuts;
	f->numbers[FINDING_SHARE] = judge_share(h->part_bytes, h->bytes);
	if (size)
		f->numbers[FINDING_BYTES] = size;
	if (size && size == e->facts.largest)
		f->numbers[FINDING_LIMIT] = e->facts.largest;
	judge_who(e, PROCESSES_PARTS, f);
	return cuts >= r->limits.count &&
	       judge_reaches(h->part_bytes, r->limits.share, h->bytes) &&
	       (cut_costs(e, SERVED_READ, (uint32_t)size, &r->limits, f) ||
		cut_costs(e, SERVED_WRITE, (uint32_t)size, &r->limits, f));
}

static bool judge_misaligned(const struct evidence *e, const struct rule *r,
			     struct finding *f)
{
	uint32_t block = e->facts.block ? e->facts.block
					: (uint32_t)r->limits.bytes;
	uint64_t count = shape_misaligned(&e->shape, block);

	f->numbers[FINDING_COUNT] = count;
	f->numbers[FINDING_OF] = e->shape.writes;
	f->numbers[FINDING_SHARE] = judge_share(count, e->shape.writes);
	f->numbers[FINDING_BLOCK] = block;
	judge_who(e, PROCESSES_MISALIGNED, f);
	return e->shape.writes >= r->limits.ios &&
	       judge_reaches(count, r->limits.share, e->shape.writes);
}

static bool judge_writeback(const struct evidence *e, const struct rule *r,
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

static void tell_stall(const struct stall_gap *g, uint64_t times,
		       struct finding *f)
{
	struct finding_span s = { stalls_from(g), g->next };

	judge_look(f, &s);
	f->numbers[FINDING_LONGEST] = s.until - s.from;
	f->numbers[FINDING_COUNT] = g->waiters;
	if (times > 1)
		f->numbers[FINDING_TIMES] = times;
}

/* the longest of those that last least ns, or NULL; sets when they were, how
 * many they are, and how long ios waited in them */
static const struct stall_gap *longest_stall(const struct stalls *l,
					     uint64_t least, uint64_t *times,
					     struct finding *f)
{
	const struct stall_gap *longest = NULL;

	for (uint32_t i = 0; i < l->count; i++) {
		const struct stall_gap *g = &l->gaps[i];

		if (!stalls_is_one(g, least))
			continue;
		++*times;
		f->time_lost += g->waited;
		judge_span(f, stalls_from(g), g->next);
		if (!longest || g->next - stalls_from(g) >
				longest->next - stalls_from(longest))
			longest = g;
	}
	return longest;
}

/* of all I/O; else of reads or writes alone, while others complete */
static const struct stall_gap *any_stall(const struct evidence *e,
					 uint64_t least, uint64_t *times,
					 struct finding *f)
{
	static const enum io_op ops[] = { [SERVED_READ] = IO_READ,
					  [SERVED_WRITE] = IO_WRITE };
	const struct stall_gap *g = longest_stall(&e->stalls, least, times, f);

	for (int op = SERVED_READ; op <= SERVED_WRITE && !g; op++) {
		g = longest_stall(&e->stalls_of[op], least, times, f);
		if (g)
			f->numbers[FINDING_OP2] = ops[op];
	}
	return g;
}

/* Drops that no hole shows may have been completions. */
static bool judge_stall(const struct evidence *e, const struct rule *r,
			struct finding *f)
{
	uint64_t usual = times_percentile(&e->times, 90 * HISTOGRAM_PERCENT);
	uint64_t least = usual * (r->limits.ratio / 1000), times = 0;
	const struct stall_gap *longest;

	if (least < r->limits.span)
		least = r->limits.span;
	f->numbers[FINDING_USUAL] = usual;
	f->numbers[FINDING_LEAST] = least;
	longest = any_stall(e, least, &times, f);
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

static bool judge_periodic(const struct evidence *e, const struct rule *r,
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

static bool judge_slow_region(const struct evidence *e, const struct rule *r,
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

static bool judge_tail(const struct evidence *e, const struct rule *r,
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

/* --- changes ------------------------------------------------------------- */

static uint64_t io_op(enum course_op op)
{
	static const enum io_op ops[COURSE_OPS] = {
		[COURSE_READ] = IO_READ, [COURSE_WRITE] = IO_WRITE,
		[COURSE_FLUSH] = IO_FLUSH_OP, [COURSE_DISCARD] = IO_DISCARD,
	};

	return ops[op];
}

static void set_pid(const struct evidence *e, const struct course_stream *t,
		    uint64_t *pid)
{
	if (t->process != PROCESSES_OTHERS)
		*pid = e->processes.list[t->process].pid;
}

static const uint32_t MOST = 600;	/* thousandths: of waits */

/* Who does what, and who waits for it, if that is another process and most of
 * those that wait. */
static void set_streams(const struct evidence *e, const struct change *c,
			struct finding *f)
{
	if (c->culprit) {
		set_pid(e, c->culprit, &f->numbers[FINDING_CULPRIT]);
		f->numbers[FINDING_OP2] = io_op(c->culprit->op);
	}
	f->numbers[FINDING_OP] = io_op(c->victim->op);
	if (c->share >= MOST &&
	    (!c->culprit || c->victim->process != c->culprit->process))
		set_pid(e, c->victim, &f->numbers[FINDING_PID]);
}

static void set_spans(const struct change *c, uint64_t end, struct finding *f)
{
	for (uint32_t i = 0; i < c->times && i < FINDING_SPANS; i++) {
		struct finding_span s = c->spans[i];

		if (s.until > end && s.from < end)
			s.until = end;
		judge_span(f, s.from, s.until);
	}
	judge_look(f, &f->spans[0]);
	if (c->times > 1)
		f->numbers[FINDING_TIMES] = c->times;
}

static bool judge_change(const struct evidence *e, const struct rule *r,
			 struct finding *f)
{
	const struct change *c = changes_of(&e->changes, r->cause);

	if (!c)
		return false;
	set_spans(c, e->to, f);
	set_streams(e, c, f);
	f->numbers[FINDING_WAIT] = change_wait(c);
	f->numbers[FINDING_LONGEST] = c->longest[change_wait(c)];
	f->numbers[FINDING_SLOW] = c->slow;
	f->numbers[FINDING_USUAL] = c->usual;
	f->numbers[FINDING_RATE] = c->rate;
	f->numbers[FINDING_RATE2] = c->rate_else;
	f->numbers[FINDING_BYTES] = c->size;
	f->numbers[FINDING_BYTES2] = c->size_else;
	f->numbers[FINDING_FEW] = c->depth;
	f->numbers[FINDING_MOST] = c->depth_else;
	f->time_lost = c->excess;
	return true;
}

/* --- the table ----------------------------------------------------------- */

#define MS 1000000ULL
#define SECOND 1000000000ULL
#define IF(rule) (1U << FINDING_##rule)
#define CHANGED (IF(FLUSH_STORM) | IF(THROTTLED) | IF(DEPTH_CUT) | IF(BURST) | \
		 IF(HELD) | IF(SLOWER))

const struct rule findings_rules[FINDING_RULES] = {
	[FINDING_LOST] = { FINDING_CAUTION, judge_lost, { .share = 10 },
		.silent = 0 },
	[FINDING_ERRORS] = { FINDING_HIGH, judge_errors, { .count = 1 },
		.leads = true },
	[FINDING_STUCK] = { FINDING_HIGH, judge_stuck,
		{ .span = SECOND, .ratio = 20000 }, .leads = true },
	[FINDING_STALL] = { FINDING_HIGH, judge_stall,
		{ .ios = 50, .span = 20 * MS, .ratio = 10000 }, .silent = 0 },
	[FINDING_FLUSH_STORM] = { FINDING_HIGH, judge_change,
		.cause = CHANGE_FLUSHES },
	[FINDING_THROTTLED] = { FINDING_HIGH, judge_change,
		.silent = IF(STUCK) | IF(STALL), .cause = CHANGE_THROTTLED },
	[FINDING_DEPTH_CUT] = { FINDING_HIGH, judge_change,
		.silent = IF(STUCK) | IF(STALL), .cause = CHANGE_DEPTH },
	[FINDING_BURST] = { FINDING_HIGH, judge_change,
		.cause = CHANGE_BURST },
	[FINDING_SMALLER] = { FINDING_HIGH, judge_change,
		.cause = CHANGE_SMALLER },
	[FINDING_HELD] = { FINDING_HIGH, judge_change,
		.silent = IF(STUCK) | IF(STALL), .cause = CHANGE_HELD },
	[FINDING_SLOWER] = { FINDING_HIGH, judge_change,
		.silent = IF(STUCK) | IF(STALL) | IF(SLOW_REGION) |
			  IF(PERIODIC),
		.cause = CHANGE_SLOWER },
	[FINDING_SLOW_REGION] = { FINDING_HIGH, judge_slow_region,
		{ .ios = 500, .count = 20, .ratio = 4000, .spread = 5 },
		.silent = 0 },
	[FINDING_REQUEUED] = { FINDING_MEDIUM, judge_requeued,
		{ .ios = 100, .count = 10, .share = 10 }, .silent = 0 },
	[FINDING_PERIODIC] = { FINDING_HIGH, judge_periodic,
		{ .ios = 500, .count = 5, .share = 700, .span = 200 * MS,
		  .spread = 100 }, .leads = true },
	[FINDING_FLUSHES] = { FINDING_MEDIUM, judge_flushes,
		{ .count = 20, .share = 200, .rate = 5 },
		.silent = IF(FLUSH_STORM) },
	[FINDING_STARVED] = { FINDING_MEDIUM, judge_starved,
		{ .ios = 100, .share = 200, .often = 50 },
		.silent = IF(THROTTLED) },
	[FINDING_QUEUE_FULL] = { FINDING_MEDIUM, judge_queue_full,
		{ .ios = 100, .share = 250, .often = 50, .ratio = 800,
		  .depth = 2 },
		.silent = IF(DEPTH_CUT) | IF(BURST) | IF(HELD) },
	[FINDING_SCHEDULER_HOLDS] = { FINDING_MEDIUM, judge_scheduler_holds,
		{ .ios = 100, .share = 250, .often = 50, .ratio = 500,
		  .depth = 4 },
		.silent = IF(REQUEUED) | IF(DEPTH_CUT) | IF(BURST) | IF(HELD) },
	[FINDING_PLUG_HELD] = { FINDING_MEDIUM, judge_plug_held,
		{ .ios = 100, .share = 200, .often = 50 },
		.silent = IF(BURST) | IF(HELD) },
	[FINDING_BEHIND_WRITES] = { FINDING_MEDIUM, judge_behind_writes,
		{ .ios = 50, .count = 20, .ratio = 3000, .span = MS / 2 },
		.silent = IF(STALL) },
	[FINDING_BEHIND_DISCARDS] = { FINDING_MEDIUM, judge_behind_discards,
		{ .ios = 50, .count = 5, .ratio = 3000, .span = MS / 2 },
		.silent = IF(STALL) },
	[FINDING_NEIGHBOUR] = { FINDING_MEDIUM, judge_neighbour,
		{ .ios = 50, .count = 50, .share = 400, .ratio = 3000,
		  .span = MS / 2 },
		.silent = IF(BEHIND_WRITES) | IF(BEHIND_DISCARDS) | IF(STALL) },
	[FINDING_SATURATION] = { FINDING_MEDIUM, judge_saturation,
		{ .ios = 200, .count = 8, .depth = 16, .ratio = 1800,
		  .share = 800 },
		.silent = IF(STUCK) | IF(STALL) | IF(BURST) },
	[FINDING_ONE_AT_A_TIME] = { FINDING_ADVICE, judge_one_at_a_time,
		{ .ios = 500, .share = 800, .often = 950, .ratio = 200 },
		.silent = 0 },
	[FINDING_SMALL_SEQUENTIAL] = { FINDING_ADVICE, judge_small_sequential,
		{ .ios = 200, .share = 600, .often = 100 },
		.silent = IF(SPLIT) | IF(SMALLER) },
	[FINDING_SPLIT] = { FINDING_ADVICE, judge_split,
		{ .count = 20, .share = 200, .ratio = 500, .bytes = 128 << 10 },
		.silent = 0 },
	[FINDING_ONE_CPU] = { FINDING_ADVICE, judge_one_cpu,
		{ .ios = 5000, .rate = 20000, .share = 950, .often = 500,
		  .ratio = 3000 }, .silent = 0 },
	[FINDING_TAIL] = { FINDING_INFO, judge_tail,
		{ .ios = 2000, .share = 300 },
		.silent = IF(STALL) | IF(PERIODIC) | IF(SLOW_REGION) |
			  IF(FLUSHES) | CHANGED },
	[FINDING_MISALIGNED] = { FINDING_INFO, judge_misaligned,
		{ .ios = 50, .share = 100, .bytes = 4096 }, .silent = 0 },
	[FINDING_WRITEBACK] = { FINDING_INFO, judge_writeback,
		{ .ios = 50, .share = 500 }, .silent = 0 },
};
