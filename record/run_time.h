/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Times of a run, ns since its first event, within a range in which readers can
 * calculate without overflow checks.  A record may have any time.
 */
#ifndef RECORD_RUN_TIME_H
#define RECORD_RUN_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/time.h"

/* the most of any clock: 146 years, since 1970 or the start */
#define RUN_TIME_CLOCK (UINT64_C(1) << 62)
/* the longest trace: ten years */
#define RUN_TIME_MOST (UINT64_C(3653) * 24 * 3600 * NS_PER_SECOND)
/* the most by which a clock set back or a wrong time zone shifts: two days */
#define RUN_TIME_BACK (UINT64_C(2) * 24 * 3600 * NS_PER_SECOND)

/*
 * *run: the run's time; genesis and time are of one clock.  0 for times a bit
 * before the first event, as of a pipe's late events.  false: impossible.
 */
static inline bool run_time_of(uint64_t genesis, uint64_t time, uint64_t *run)
{
	*run = time - genesis;
	if (*run <= RUN_TIME_MOST)
		return true;
	*run = 0;
	return genesis - time <= RUN_TIME_BACK;
}

#endif
