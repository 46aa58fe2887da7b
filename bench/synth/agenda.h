/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is going to happen on the simulated machine, the earliest first.
 */
#ifndef BENCH_SYNTH_AGENDA_H
#define BENCH_SYNTH_AGENDA_H

#include <stddef.h>
#include <stdint.h>

#include "bench/synth/request.h"

enum deed { SUBMIT, COMPLETE, WRITE_OUT };

struct item {
	uint64_t when;		/* ns, trace time */
	enum deed deed;
	unsigned cpu;
	struct request request;	/* of a COMPLETE */
};

/* all zero: nothing on it */
struct agenda {
	struct item *items;	/* a binary heap */
	size_t used, size;
};

/* dies without memory */
void agenda_add(struct agenda *a, struct item item);

/*
 * The earliest item.  Never called on an empty agenda: every CPU always has
 * its next SUBMIT.
 */
struct item agenda_take(struct agenda *a);

void agenda_free(struct agenda *a);

#endif
