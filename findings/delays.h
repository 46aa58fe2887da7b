/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where requests with data spend their time before the device: sums, exactly.
 */
#ifndef FINDINGS_DELAYS_H
#define FINDINGS_DELAYS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/wide.h"

struct io;			/* request/io.h */

enum delays_where {
	DELAYS_REQUEST,		/* Q2G */
	DELAYS_PLUG,		/* G2I */
	DELAYS_SCHEDULER,	/* I2D */
	DELAYS_WHERE
};

struct delays {
	struct wide total;	/* ns from Q to C, of those with a Q */
	struct wide sums[DELAYS_WHERE];
	uint64_t counts[DELAYS_WHERE];
	uint64_t often[DELAYS_WHERE];	/* of these: a millisecond and more */
	uint64_t gained;	/* ios that joined those long in a plug */
};

/* a request that completed; whether it stayed in a plug for long */
bool delays_add(struct delays *w, const struct io *io);

#endif
