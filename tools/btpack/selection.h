/* SPDX-License-Identifier: GPL-2.0-only */
/* Which events of a trace are packed.  Notes always are. */
#ifndef TOOLS_BTPACK_SELECTION_H
#define TOOLS_BTPACK_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "record/record.h"
#include "run/window.h"

struct selection {
	struct window window;	/* ns after the first event of all */
	uint32_t mask;		/* categories, as -a has them; all bits: all */
	uint64_t zero;		/* ns, the machine's time of the first event */
};

/* whether some events may be left out */
static inline bool selection_is_made(const struct selection *s)
{
	return s->window.start || s->window.end != UINT64_MAX ||
	       s->mask != UINT32_MAX;
}

/* by time, and by category as in blkparse */
static inline bool selection_has(const struct selection *s,
				 const struct event *ev)
{
	uint64_t time = ev->time > s->zero ? ev->time - s->zero : 0;

	return event_is_note(ev) ||
	       (time >= s->window.start && time <= s->window.end &&
		(s->mask == UINT32_MAX || (ev->action & s->mask << 16) ||
		 (ev->zone & s->mask >> 16)));
}

#endif
