/* SPDX-License-Identifier: GPL-2.0-only */
/* Rules about what went wrong; see judge.h. */
#include "analysis/findings/judge.h"

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
	f->time_lost = judge_lost_time(l->lost);
	return true;
}

/* Where records were lost, so may have been a completion. */
bool judge_stuck(const struct evidence *e, const struct rule *r,
		 struct finding *f)
{
	uint64_t least = e->times.all.max * (r->limits.ratio / 1000);
	uint64_t first = FINDING_NONE, count = 0;
	histogram_sum waited = 0;

	if (least < r->limits.span)
		least = r->limits.span;
	for (size_t i = 0; i < e->faults.open_count; i++) {
		uint64_t issued = e->faults.open[i];

		if (issued > e->to || e->to - issued < least)
			continue;
		count++;
		waited += e->to - issued;
		first = issued < first ? issued : first;
	}
	f->numbers[FINDING_COUNT] = count;
	f->numbers[FINDING_OF] = e->faults.open_count;
	f->numbers[FINDING_LEAST] = least;
	f->numbers[FINDING_TIMES] = e->facts.lost;
	if (!count || e->facts.lost)
		return false;
	f->numbers[FINDING_FROM] = first;
	f->numbers[FINDING_LONGEST] = e->to - first;
	f->time_lost = judge_lost_time(waited);
	return true;
}

bool judge_requeued(const struct evidence *e, const struct rule *r,
		    struct finding *f)
{
	const struct faults *l = &e->faults;

	f->numbers[FINDING_COUNT] = l->requeues;
	f->numbers[FINDING_OF] = l->issues;
	f->numbers[FINDING_SHARE] = judge_share(l->requeues, l->issues);
	f->time_lost = judge_lost_time(l->requeued);
	return l->issues >= r->limits.ios && l->requeues >= r->limits.count &&
	       judge_reaches(l->requeues, r->limits.share, l->issues);
}
