/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Puts the events of a recording in order of time, with at most max held.
 *
 * What is earlier than an event that has left gets that one's time, and is
 * counted as late.
 */
#ifndef IMPORT_ORDER_H
#define IMPORT_ORDER_H

#include <stdint.h>

#include "base/hold.h"

struct event;			/* record/record.h */
struct import_to;		/* import/import.h */

enum { ORDER_MAX = 65536 };

struct import_order {
	struct hold held;
	const struct import_to *to;
	uint32_t max;		/* events; ORDER_MAX unless set by the owner */
	uint64_t stamp;		/* events so far */
	uint64_t last;		/* ns, of the last that left */
	uint64_t late;		/* events */
	uint64_t latest;	/* ns, how late at most */
};

/* to must outlive o */
void import_order_init(struct import_order *o, const struct import_to *to);
void import_order_free(struct import_order *o);

/* All three: 0, -ENOMEM, or what to->event() returns. */

/* Holds a copy of an event with its payload.  source: a small number, whose
 * events mostly come in order; or HOLD_ALONE. */
int import_order_add(struct import_order *o, uint32_t source,
		     const struct event *ev);

/* hands over what is earlier than time */
int import_order_release(struct import_order *o, uint64_t time);

/* hands over everything, and reports what was late by to->fault() */
int import_order_end(struct import_order *o);

#endif
