/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What each rule looks at: a rule_test (rule.h) for each, by what they are
 * about.
 */
#ifndef ANALYSIS_FINDINGS_JUDGE_H
#define ANALYSIS_FINDINGS_JUDGE_H

#include "analysis/findings/evidence.h"
#include "analysis/findings/finding.h"
#include "analysis/findings/rule.h"

/* judge_faults.c */
rule_test judge_lost, judge_errors, judge_stuck, judge_requeued;
/* judge_times.c */
rule_test judge_stall, judge_periodic, judge_slow_region, judge_tail;
/* judge_waits.c */
rule_test judge_flushes, judge_starved, judge_queue_full,
	  judge_saturation, judge_scheduler_holds, judge_plug_held, judge_one_at_a_time;
/* judge_others.c */
rule_test judge_behind_writes, judge_behind_discards, judge_neighbour,
	  judge_one_cpu;
/* judge_shape.c */
rule_test judge_small_sequential, judge_split, judge_misaligned,
	  judge_writeback;

/* the I/Os in flight at the end, of which there are some: judge_faults.c */
void judge_in_flight(const struct evidence *e, struct finding *f);

/* thousandths that part is of whole, the nearest; or 0 of nothing */
static inline uint64_t judge_share(histogram_sum part, histogram_sum whole)
{
	return whole ? (uint64_t)((part * 1000 + whole / 2) / whole) : 0;
}

/* part >= share thousandths of whole, without rounding */
static inline bool judge_reaches(histogram_sum part, uint64_t share,
				 histogram_sum whole)
{
	return part * 1000 >= whole * share;
}

/* things a second, times 1,000 */
static inline uint64_t judge_rate(const struct evidence *e, uint64_t count)
{
	histogram_sum rate = (histogram_sum)count * 1000 * 1000000000 /
			     evidence_length(e);

	return rate < UINT64_MAX ? (uint64_t)rate : UINT64_MAX - 1;
}

/* a sum of times as the time lost */
static inline uint64_t judge_lost_time(histogram_sum sum)
{
	return sum < UINT64_MAX ? (uint64_t)sum : UINT64_MAX - 1;
}

/* who did most of it */
static inline void judge_who(const struct evidence *e, enum people_what what,
			     struct finding *f)
{
	people_most(&e->people, what, &f->numbers[FINDING_PID],
		    &f->numbers[FINDING_PID2]);
}

#endif
