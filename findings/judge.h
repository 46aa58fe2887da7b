/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What each rule looks at: a rule_test for each, by what they are about.
 */
#ifndef FINDINGS_JUDGE_H
#define FINDINGS_JUDGE_H

#include "findings/evidence.h"
#include "findings/finding.h"

/* --- rule ----------------------------------------------------------------- */

/*
 * A rule, as data: how grave, what is looked at, from which numbers on, and
 * which others explain it.
 */

struct evidence;		/* findings/evidence.h */
struct rule;

/*
 * Sets the numbers of f and its lost time as far as there is evidence, and
 * returns whether that reaches the rule's limits.
 */
typedef bool rule_test(const struct evidence *e, const struct rule *r,
		       struct finding *f);

/* what a rule asks for; where there is nothing, 0 */
struct rule_limits {
	uint64_t ios;		/* of them at least */
	uint64_t count;		/* of what is conspicuous */
	uint64_t share;		/* thousandths */
	uint64_t often;		/* thousandths */
	uint64_t rate;		/* a second */
	uint64_t ratio;		/* thousandths */
	uint64_t span;		/* ns */
	uint64_t spread;	/* thousandths to both sides */
	uint64_t depth;
	uint64_t bytes;
};

struct rule {
	enum finding_severity severity;
	rule_test *test;
	struct rule_limits limits;
	uint32_t silent;	/* if one of these was found: 1 << rule */
};

/* --- judge ---------------------------------------------------------------- */

/* judge_faults.c: what goes wrong, and what has to wait */
rule_test judge_lost, judge_errors, judge_stuck, judge_requeued;
rule_test judge_flushes, judge_starved, judge_queue_full, judge_saturation,
	  judge_scheduler_holds, judge_plug_held, judge_one_at_a_time;
/* judge_times.c: when it is slow, for whom, and what is asked for */
rule_test judge_stall, judge_periodic, judge_slow_region, judge_tail;
rule_test judge_behind_writes, judge_behind_discards, judge_neighbour,
	  judge_one_cpu;
rule_test judge_small_sequential, judge_split, judge_misaligned,
	  judge_writeback;

/* the I/Os in flight at the end, of which there are some: judge_faults.c */
void judge_in_flight(const struct evidence *e, struct finding *f);

/* thousandths that part is of whole, the nearest; or 0 of nothing */
static inline uint64_t judge_sum_share(struct wide part, struct wide whole)
{
	struct wide thousandths = wide_plus(wide_times(part, 1000),
					    wide_over(whole, 2));

	return wide_is_zero(whole) ? 0 :
	       wide_divide(thousandths, whole, NULL).low;
}

static inline uint64_t judge_share(uint64_t part, uint64_t whole)
{
	return judge_sum_share(wide_of(part), wide_of(whole));
}

/* part >= share thousandths of whole, without rounding */
static inline bool judge_sum_reaches(struct wide part, uint64_t share,
				     struct wide whole)
{
	return !wide_less(wide_times(part, 1000), wide_times(whole, share));
}

static inline bool judge_reaches(uint64_t part, uint64_t share, uint64_t whole)
{
	return judge_sum_reaches(wide_of(part), share, wide_of(whole));
}

/* a sum as a number that a finding can have */
static inline uint64_t judge_clamp(struct wide sum)
{
	return wide_less(sum, wide_of(UINT64_MAX)) ? sum.low : UINT64_MAX - 1;
}

/* things a second, times 1,000 */
static inline uint64_t judge_rate(const struct evidence *e, uint64_t count)
{
	struct wide rate = wide_over(wide_product(count, 1000000000000),
				     evidence_length(e));

	return judge_clamp(rate);
}

/* who did most of it */
static inline void judge_who(const struct evidence *e, enum people_what what,
			     struct finding *f)
{
	people_most(&e->people, what, &f->numbers[FINDING_PID],
		    &f->numbers[FINDING_PID2]);
}

#endif
