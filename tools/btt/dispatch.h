/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The way of an event to what is done about it: notes and packet commands, the
 * window, devices that do not count yet.
 */
#ifndef TOOLS_BTT_DISPATCH_H
#define TOOLS_BTT_DISPATCH_H

#include <stdbool.h>

#include "blktrace.h"

/* --- events --------------------------------------------------------------- */

/*
 * A request's life, event by event: from its queueing (Q) by way of a request
 * structure (G), perhaps a merge (M, F), the scheduler (I) and the device (D)
 * to its completion (C); and what else happens to a device.
 */

struct disk;			/* tools/btt/disk.h */
struct event;			/* record/record.h */
struct process;			/* tools/btt/processes.h */
struct state;			/* tools/btt/state.h */

/* p is NULL for what does not admit */
typedef void event_handler(struct state *s, struct disk *d, struct process *p,
			   const struct event *ev);

/* what is done about an event */
struct rule {
	event_handler *handle;	/* NULL: nothing */
	bool admits;		/* it belongs to a process, and its device is
				 * in the report from then on */
	bool wakes;		/* from here on its device counts */
	bool sized;		/* without bytes (a flush) it means nothing */
};

/* by action, and for messages */
extern const struct rule event_rules[BLK_TA_COUNT];
extern const struct rule events_message;

/* --- dispatch ------------------------------------------------------------- */

enum dispatch_result {
	DISPATCH_ON,
	DISPATCH_STOP,		/* it lies behind the window's end */
};

/* an event or a note: of those, names of processes and messages count */
enum dispatch_result dispatch_event(struct state *s, const struct event *ev);

#endif
