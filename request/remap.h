/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Remaps: an A announces an I/O on this device, for an I/O of another device or
 * of a partition.
 */
#ifndef REQUEST_REMAP_H
#define REQUEST_REMAP_H

struct event;			/* record/record.h */
struct joiner;			/* request/items.h */
struct open_io;
struct queue;

/* Connects an I/O that starts with this event to the remap that announced it,
 * if any. */
void remap_claim(struct joiner *j, struct queue *q, const struct event *ev,
		 struct open_io *io);

#endif
