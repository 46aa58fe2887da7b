/* SPDX-License-Identifier: GPL-2.0-only */
/* One moment in two clocks: the time of day, and that of records. */
#ifndef MACHINE_CLOCK_PAIR_H
#define MACHINE_CLOCK_PAIR_H

#include <stdbool.h>
#include <stdint.h>

struct json;			/* base/json.h */

struct clock_pair {
	uint64_t realtime, monotonic;	/* ns */
	bool synchronised;	/* something keeps the time of day right */
	uint64_t maxerror;	/* us by which it may be wrong then */
};

/* now: the two are read within some 100 ns, if the machine is not too busy */
struct clock_pair clock_pair_now(void);

/* its values, into an object that is open */
void clock_pair_write(const struct clock_pair *c, struct json *j);

#endif
