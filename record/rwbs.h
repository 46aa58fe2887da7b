/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The RWBS column: what kind of request, in letters made from its category
 * bits.  Once there were only R, W, B and S.
 */
#ifndef RECORD_RWBS_H
#define RECORD_RWBS_H

struct event;			/* record/record.h */

/* F ZRA F A S M is the longest there can be, with its NUL */
enum { RWBS_MAX = 9 };

/* letters of *ev to text, NUL terminated; returns their number, 1 to 8 */
unsigned int rwbs_text(const struct event *ev, char text[RWBS_MAX]);

#endif
