/* SPDX-License-Identifier: GPL-2.0-only */
/* Rules about what went wrong; see judge.h. */
#include "findings/judge.h"

/* --- judge waits ---------------------------------------------------------- */

bool judge_flushes(const struct evidence *e, const struct rule *r,
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
	judge_who(e, PEOPLE_FLUSHES, f);
	f->time_lost = l->flushed;
	return count >= r->limits.count &&
	       judge_reaches(l->flushed, r->limits.share, length) &&
	       f->numbers[FINDING_RATE] >= r->limits.rate * 1000;
}

/* Much of all time goes there, and not only in one request. */
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

bool judge_starved(const struct evidence *e, const struct rule *r,
		   struct finding *f)
{
	return waits_there(e, DELAYS_REQUEST, &r->limits, f);
}

bool judge_plug_held(const struct evidence *e, const struct rule *r,
		     struct finding *f)
{
	uint64_t held = e->delays.often[DELAYS_PLUG];

	judge_who(e, PEOPLE_PLUGGED, f);
	if (held)
		f->numbers[FINDING_GAINED] = e->delays.gained * 1000 / held;
	return waits_there(e, DELAYS_PLUG, &r->limits, f);
}

/* Requests wait in the scheduler: how much was under way meanwhile? */
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

bool judge_queue_full(const struct evidence *e, const struct rule *r,
		      struct finding *f)
{
	uint64_t full = 0, room = 0;
	bool waits = waits_in_scheduler(e, r, f, &full, &room);

	f->numbers[FINDING_RATIO] = full;
	return waits && full >= r->limits.ratio;
}

bool judge_scheduler_holds(const struct evidence *e, const struct rule *r,
			   struct finding *f)
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
bool judge_saturation(const struct evidence *e, const struct rule *r,
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
	f->numbers[FINDING_PID] = people_holder(&e->people, &share);
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

bool judge_one_at_a_time(const struct evidence *e, const struct rule *r,
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
	judge_who(e, PEOPLE_ALL, f);
	return all->count >= r->limits.ios && l->thinks.count &&
	       judge_reaches(busy, r->limits.share, evidence_length(e)) &&
	       judge_reaches(alone, r->limits.often, busy) &&
	       !wide_less(wide_product(usual, r->limits.ratio),
			  wide_product(think, 1000));
}

/* --- judge faults --------------------------------------------------------- */

/* Beyond 1 % the 99th percentile is not known above.  What is only open at an
 * end of the trace is missing, too, but not lost. */
bool judge_lost(const struct evidence *e, const struct rule *r,
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

bool judge_errors(const struct evidence *e, const struct rule *r,
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
	judge_who(e, PEOPLE_ERRORS, f);
	f->time_lost = judge_clamp(l->lost);
	return true;
}

/* the I/Os in flight at the end, as findings/words.h has words for them */
void judge_in_flight(const struct evidence *e, struct finding *f)
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
static bool would_complete(const struct evidence *e, const struct rule_limits *l)
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
bool judge_stuck(const struct evidence *e, const struct rule *r,
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
	f->numbers[FINDING_FROM] = e->faults.open.oldest;
	f->numbers[FINDING_UNTIL] = e->to;
	if (quiet(e) >= r->limits.span)
		f->numbers[FINDING_QUIET] = e->to - quiet(e);
	f->time_lost = judge_clamp(waited);
	return true;
}

bool judge_requeued(const struct evidence *e, const struct rule *r,
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
