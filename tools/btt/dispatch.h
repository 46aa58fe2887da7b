/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Passes events to their handlers: tells apart notes and packet commands, and
 * applies the window.
 */
#ifndef TOOLS_BTT_DISPATCH_H
#define TOOLS_BTT_DISPATCH_H

#include <stdbool.h>

#include "blktrace.h"

/* --- events --------------------------------------------------------------- */

/*
 * Handlers of events: a request is queued (Q), gets a request structure (G), is
 * merged (M, F) or inserted into the scheduler (I), issued (D) and completed
 * (C).
 */

struct disk;			/* tools/btt/disk.h */
struct event;			/* record/record.h */
struct process;			/* tools/btt/processes.h */
struct state;			/* tools/btt/state.h */

/* p is NULL unless the rule admits */
typedef void event_handler(struct state *s, struct disk *d, struct process *p,
			   const struct event *ev);

struct rule {
	event_handler *handle;	/* NULL: ignored */
	bool admits;		/* counts for its process; its device is in the
				 * report from here on */
	bool wakes;		/* its device counts from here on */
	bool sized;		/* ignored without bytes (a flush) */
};

/* by action, and for messages */
extern const struct rule event_rules[BLK_TA_COUNT];
extern const struct rule events_message;

/* --- dispatch ------------------------------------------------------------- */

enum dispatch_result {
	DISPATCH_ON,
	DISPATCH_STOP,		/* after the window's end */
};

/* ev may be a note, of which process names and messages count */
enum dispatch_result dispatch_event(struct state *s, const struct event *ev);

#endif
