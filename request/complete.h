/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Completions that belong to nothing that is known.
 */
#ifndef REQUEST_COMPLETE_H
#define REQUEST_COMPLETE_H

struct event;			/* record/record.h */
struct joiner;			/* request/items.h */
struct queue;

/* counts a C of which nothing else was seen, or whose request has ended */
void complete_ghost(struct joiner *j, struct queue *q, const struct event *ev);

#endif
