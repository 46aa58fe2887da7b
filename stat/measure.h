/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is measured of an io: its phases, and spans that are made of several.
 */
#ifndef STAT_MEASURE_H
#define STAT_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "request/io.h"

/* an enum io_phase is a measure, too; then */
enum measure {
	MEASURE_Q2C = IO_PHASES,	/* from its Q to its end */
	MEASURE_G2C,		/* from getting a request to the end */
	MEASURE_Q2D,		/* from its Q to its issue */
	MEASURE_TOTAL,		/* from its first event, whatever that was, to
				 * its end */
	MEASURES
};

/* the path of those above IO_PHASES of measure_get() */
bool measure_derived(const struct io *io, unsigned int m, uint64_t *ns);

/* whether io, which completed, has measure m; *ns is how long it took */
static inline bool measure_get(const struct io *io, unsigned int m,
			       uint64_t *ns)
{
	if (m >= IO_PHASES)
		return measure_derived(io, m, ns);
	*ns = io->phase[m];
	return io->has >> m & 1;
}

/* "q2c", "d2c", as options and files have it */
const char *measure_name(unsigned int m);

/* the measure of that name, in either case, or -1 */
int measure_find(const char *name);

#endif
