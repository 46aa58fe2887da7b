/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The totals printed at the end by a capture and the collecting server: a line
 * for each CPU of a device, and their sum.
 */
#ifndef CAPTURE_TOTALS_H
#define CAPTURE_TOTALS_H

#include <stdbool.h>
#include <stdint.h>

struct buf;			/* base/buf.h */

struct totals_cpu {
	uint64_t events;	/* records, notes included */
	uint64_t bytes;
};

/* prints "=== name ===", count CPUs, the sum and the dropped events */
void totals_print(struct buf *out, const char *name,
		  const struct totals_cpu *cpus, unsigned int count,
		  uint64_t drops);

/* the same with lines for shown CPUs only; the sum is of all */
void totals_print_shown(struct buf *out, const char *name,
			const struct totals_cpu *cpus, const bool *shown,
			unsigned int count, uint64_t drops);

enum { TOTALS_WARNING = 192 };	/* bytes, with its NUL */

/* whole lines about dropped events, and what helps; "" if none were dropped */
void totals_warning(uint64_t events, uint64_t drops, char text[TOTALS_WARNING]);

#endif
