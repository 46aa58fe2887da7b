/* SPDX-License-Identifier: GPL-2.0-only */
/* Rules about what went wrong; see judge.h. */
#include "findings/judge.h"

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
