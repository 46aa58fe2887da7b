/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the limits of cgroups would have to be to hold a device just below its
 * knee, with the I/Os that it had.
 *
 * io.max counts I/Os as they are submitted, so also those merged later.
 * io.latency has the share of I/Os above its target (a tenth) on disks that do not
 * rotate, and the mean on those that do; the kernel's manual says to set it 10 to
 * 15% above what is normal.
 */
#ifndef CAPACITY_LIMITS_H
#define CAPACITY_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "capacity/knee.h"
#include "capacity/mix.h"

/* percent of the capacity that io.max leaves, and of latency for io.latency */
enum { LIMITS_LEAVE = 90, LIMITS_ABOVE = 110 };

struct limits {
	bool known;
	/* a second; 0: there are none of these */
	uint64_t rbps, wbps, riops, wiops;
	/* us, of I/Os that came to levels from half the knee on, up to it; 0: none
	 * did */
	uint64_t target;	/* of a disk that does not rotate */
	uint64_t target_mean;	/* of one that does */
};

/* 0 or -ENOMEM */
int limits_find(struct limits *out, const struct levels *l, const struct knee *k,
		const struct mix *m);

#endif
