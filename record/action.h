/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The letters of actions, Q for a queued I/O, and of the RWBS column, W for a
 * write.
 */
#ifndef RECORD_ACTION_H
#define RECORD_ACTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event;			/* record/record.h */

/* F ZRA F A S M is the longest, with its NUL */
enum { RWBS_MAX = 9 };

/* RWBS by the categories, NUL terminated; returns its length, 1 to 8 */
unsigned int rwbs_text(const struct event *ev, char text[RWBS_MAX]);

/*
 * The categories of an operation by RWBS letters, as rwbs_text() and the
 * kernel's tracepoints write them: a flush request is FN here, and FF there.
 * false: they are none.
 */
bool rwbs_parse(const char *text, size_t len, uint32_t *categories);

/* letters of an action; NULL: it is not shown as a line */
const char *action_text(uint32_t nr);

/* the same for packet commands (category PC), which have only a few */
const char *action_text_pc(uint32_t nr);

#endif
