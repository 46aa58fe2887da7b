/* SPDX-License-Identifier: GPL-2.0-only */
/* Times in nanoseconds, and the clock. */
#ifndef BASE_TIME_H
#define BASE_TIME_H

#include <stdint.h>
#include <time.h>

#define NS_PER_SECOND UINT64_C(1000000000)
#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_US UINT64_C(1000)

static inline uint64_t time_of_timespec(const struct timespec *ts)
{
	return (uint64_t)ts->tv_sec * NS_PER_SECOND + (uint64_t)ts->tv_nsec;
}

static inline struct timespec time_to_timespec(uint64_t ns)
{
	return (struct timespec){ .tv_sec = (time_t)(ns / NS_PER_SECOND),
				  .tv_nsec = (long)(ns % NS_PER_SECOND) };
}

/* CLOCK_MONOTONIC */
static inline uint64_t time_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return time_of_timespec(&ts);
}

/* the same in ms, signed for differences to deadlines */
static inline int64_t time_now_ms(void)
{
	return (int64_t)(time_now() / NS_PER_MS);
}

#endif
