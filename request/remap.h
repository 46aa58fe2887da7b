/* SPDX-License-Identifier: GPL-2.0-only */
/* Remaps: an A announces an I/O on this device that continues another one. */
#ifndef REQUEST_REMAP_H
#define REQUEST_REMAP_H

struct event;			/* record/record.h */
struct joiner;			/* request/items.h */
struct open_io;
struct queue;

/* Connects an I/O that starts with this event to the remap before it. */
void remap_claim(struct joiner *j, struct queue *q, const struct event *ev,
		 struct open_io *io);

#endif
