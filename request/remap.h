/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Remaps: an A says that what comes next on this device is an io of another
 * one, or of a partition.
 */
#ifndef REQUEST_REMAP_H
#define REQUEST_REMAP_H

struct event;			/* record/record.h */
struct joiner;			/* request/items.h */
struct open_io;
struct queue;

/* An io that begins with this event: is it one that a remap has announced? */
void remap_claim(struct joiner *j, struct queue *q, const struct event *ev,
		 struct open_io *io);

#endif
