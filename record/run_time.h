/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Times of a run: ns since its first event.  A record may have any 64 bits as
 * its time; what enters at run/reader is within this range, so that what is
 * above can add, subtract and divide times without a look.
 */
#ifndef RECORD_RUN_TIME_H
#define RECORD_RUN_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/time.h"

/* no clock has counted for so long: 146 years, since 1970 or the start */
#define RUN_TIME_CLOCK (UINT64_C(1) << 62)
/* no trace is longer than ten years */
#define RUN_TIME_MOST (UINT64_C(3653) * 24 * 3600 * NS_PER_SECOND)
/* a clock that is set back, or the wrong time zone: less than two days */
#define RUN_TIME_BACK (UINT64_C(2) * 24 * 3600 * NS_PER_SECOND)

/*
 * The run's time of a moment; genesis and time are on one clock.  What is a bit
 * before the first event, as a pipe's late events may be, counts as with it.
 * 0 and *run; or -ERANGE: no clock can have been there.
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
