/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Latencies over time: a line for each request (-l d2c, -q q2c, -z q2d), and
 * averages over periods (-L, <dev>_q2c_plat.dat and so on).
 */
#ifndef TOOLS_BTT_FILES_LATENCY_H
#define TOOLS_BTT_FILES_LATENCY_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/btt/datafile.h"

struct latency {
	struct datafile *each;
	struct datafile *averages;
	double period;		/* seconds */
	/* the period that is open */
	double first, last;	/* times of its samples */
	double sum;
	uint64_t samples;	/* 0: none is open */
};

/*
 * kind is "q2c", "d2c" or "q2d"; prefix, for the line of each request, may be
 * NULL; period 0 or less: no averages.
 */
void latency_open(struct latency *l, const struct opener *by, const char *kind,
		  const char *prefix, const char *label, double period);

/* slow path of latency_add() */
void latency_write(struct latency *l, uint64_t time, uint64_t latency);

/* a request's latency, in ns, put at this time */
static inline void latency_add(struct latency *l, uint64_t time,
			       uint64_t latency)
{
	if (l->each || l->averages)
		latency_write(l, time, latency);
}

/* false: not all is in the files, after a warning */
bool latency_close(struct latency *l);

#endif
