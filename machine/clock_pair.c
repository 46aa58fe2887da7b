/* SPDX-License-Identifier: GPL-2.0-only */
/* A moment by two clocks; see clock_pair.h. */
#include <sys/timex.h>
#include <time.h>

#include "base/json.h"
#include "base/time.h"
#include "machine/clock_pair.h"

enum { TRIES = 16 };

static uint64_t read_clock(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * NS_PER_SECOND + (uint64_t)t.tv_nsec;
}

/* The wall clock is read between two reads of the other; the closest count. */
struct clock_pair clock_pair_now(void)
{
	struct clock_pair best = { 0 };
	struct timex tx = { .modes = 0 };
	uint64_t least = UINT64_MAX;
	int state;

	for (unsigned int i = 0; i < TRIES; i++) {
		uint64_t before = read_clock(CLOCK_MONOTONIC);
		uint64_t wall = read_clock(CLOCK_REALTIME);
		uint64_t after = read_clock(CLOCK_MONOTONIC);

		if (after - before >= least)
			continue;
		least = after - before;
		best.realtime = wall;
		best.monotonic = before + least / 2;
	}
	state = adjtimex(&tx);
	best.synchronised = state >= 0 && state != TIME_ERROR;
	best.maxerror = best.synchronised ? (uint64_t)tx.maxerror : 0;
	return best;
}

void clock_pair_write(const struct clock_pair *c, struct json *j)
{
	json_put_number(j, "realtime_ns", c->realtime);
	json_put_number(j, "monotonic_ns", c->monotonic);
	json_put_bool(j, "synchronised", c->synchronised);
	if (c->synchronised)
		json_put_number(j, "maxerror_us", c->maxerror);
}
