/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions of the actions, called by joiner's table. */
#ifndef REQUEST_ACTIONS_H
#define REQUEST_ACTIONS_H

/* --- actions -------------------------------------------------------------- */

struct event;			/* record/record.h */
struct joiner;			/* request/items.h */
struct queue;

typedef void action(struct joiner *j, struct queue *q, const struct event *ev);

/* submit.c: an I/O until it has a request */
action action_queue;		/* Q */
action action_sleep;		/* S B */
action action_get;		/* G */
action action_merge_back;	/* M: a bio, or a request with all its bios */
action action_merge_front;	/* F */
action action_plug;		/* P */
action action_unplug;		/* U UT */
action action_zone_plug;	/* ZP */
action action_zone_unplug;	/* ZU */

/* submit.c, remap.c */
action action_split;		/* X */
action action_remap;		/* A */

/* driver.c: a request until its completion */
action action_insert;		/* I */
action action_issue;		/* D */
action action_requeue;		/* R */

/* complete.c */
action action_complete;		/* C */

/* flush.c: flush requests (FN) */
action action_flush_issue;
action action_flush_complete;

/* flush.c: passthrough commands */
action action_command;

/* --- complete ------------------------------------------------------------- */

/* Unmatched completions. */

/* counts a C of which nothing else was seen, or whose request has ended */
void complete_ghost(struct joiner *j, struct queue *q, const struct event *ev);

#endif
