/* SPDX-License-Identifier: GPL-2.0-only */
/* Measures of an I/O: its phases, and sums of several. */
#ifndef STAT_MEASURE_H
#define STAT_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "request/io.h"

/* after the phases of enum io_phase */
enum measure {
	MEASURE_Q2C = IO_PHASES,	/* Q to end */
	MEASURE_G2C,		/* getting a request to end */
	MEASURE_Q2D,		/* Q to issue */
	MEASURE_TOTAL,		/* first event to end */
	MEASURES
};

/* measure_get() for those above IO_PHASES */
bool measure_derived(const struct io *io, unsigned int m, uint64_t *ns);

/* whether io, which completed, has measure m; *ns is its length */
static inline bool measure_get(const struct io *io, unsigned int m,
			       uint64_t *ns)
{
	if (m >= IO_PHASES)
		return measure_derived(io, m, ns);
	*ns = io->phase[m];
	return io->has >> m & 1;
}

/* "q2c", "d2c", as in options and files */
const char *measure_name(unsigned int m);

/* the measure of a name, in either case, or -1 */
int measure_find(const char *name);

#endif
