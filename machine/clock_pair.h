/* SPDX-License-Identifier: GPL-2.0-only */
/* A moment by two clocks: the time of day, and the records' clock. */
#ifndef MACHINE_CLOCK_PAIR_H
#define MACHINE_CLOCK_PAIR_H

#include <stdbool.h>
#include <stdint.h>

struct json;			/* base/json.h */

struct clock_pair {
	uint64_t realtime, monotonic;	/* ns */
	bool synchronised;	/* the time of day, by NTP or the like */
	uint64_t maxerror;	/* its error in us, if synchronised */
};

/* both are read within some 100 ns unless the machine is busy */
struct clock_pair clock_pair_now(void);

/* writes the values into an open object */
void clock_pair_write(const struct clock_pair *c, struct json *j);

#endif
