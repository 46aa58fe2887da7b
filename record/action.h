/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The letters of actions: Q for a queued request, C for a completed one.
 * Packet commands (category PC) know a few of them only.
 */
#ifndef RECORD_ACTION_H
#define RECORD_ACTION_H

#include <stdint.h>

/* --- rwbs ----------------------------------------------------------------- */

/*
 * The RWBS column: what kind of request, in letters made from its category
 * bits.  Once there were only R, W, B and S.
 */

struct event;			/* record/record.h */

/* F ZRA F A S M is the longest there can be, with its NUL */
enum { RWBS_MAX = 9 };

/* letters of *ev to text, NUL terminated; returns their number, 1 to 8 */
unsigned int rwbs_text(const struct event *ev, char text[RWBS_MAX]);

/* --- action --------------------------------------------------------------- */

/* letters of action number nr, or NULL when it has no line of its own */
const char *action_text(uint32_t nr);

/* the same for packet commands */
const char *action_text_pc(uint32_t nr);

#endif
