/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events of joined I/Os in the order of their times.
 *
 * Each phase has a line of its events, which are in order if I/Os end in the
 * order in which they begin; else the line is sorted, with some dozen
 * instructions for each event.
 *
 *	joined_order_add
 *	joined_order_until	says which events are whole
 *	joined_order_next
 */
#ifndef CAPTURE_FROM_JOINED_ORDER_H
#define CAPTURE_FROM_JOINED_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pool.h"
#include "capture/from/joined_events.h"

struct joined_entry {
	uint64_t time;
	uint32_t io;		/* in the pool */
};

struct joined_line {
	struct joined_entry *entries;
	uint32_t size, head, tail;	/* those from head to tail are held */
	bool disordered;
};

struct joined_order {
	struct pool ios;	/* those of which events are held */
	struct joined_line lines[PHASE_COUNT];
	struct joined_entry *other;	/* as large as the largest line */
	uint32_t other_size;
	uint64_t first[PHASE_COUNT];	/* ns, of each line; UINT64_MAX: empty */
	uint64_t until;		/* ns: earlier ones may leave */
	uint32_t held;		/* events */
};

void joined_order_init(struct joined_order *o);
void joined_order_free(struct joined_order *o);

/* adds events of the phases that have a bit; 0 or -ENOMEM */
int joined_order_add(struct joined_order *o, const struct joined_events *e,
		     uint32_t phases);

/* Events before that time are complete, which only grows: 0 or -ENOMEM.  Then
 * call joined_order_next() until it returns NULL. */
int joined_order_until(struct joined_order *o, uint64_t time);

/* The next one's phase, time and I/O, valid until the next add; NULL: none. */
const struct joined_events *joined_order_next(struct joined_order *o,
					      enum joined_phase *phase,
					      uint64_t *time);

#endif
