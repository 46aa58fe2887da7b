/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The way of an event to what is done about it: notes and packet commands, the
 * window, devices that do not count yet.
 */
#ifndef TOOLS_BTT_DISPATCH_H
#define TOOLS_BTT_DISPATCH_H

struct event;			/* record/record.h */
struct state;			/* tools/btt/state.h */

enum dispatch_result {
	DISPATCH_ON,
	DISPATCH_STOP,		/* it lies behind the window's end */
};

/* an event or a note: of those, names of processes and messages count */
enum dispatch_result dispatch_event(struct state *s, const struct event *ev);

#endif
