/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The binary dump (-d): events as shown and notes as read, in this machine's
 * byte order.
 */
#ifndef EMIT_DUMP_H
#define EMIT_DUMP_H

struct buf;			/* base/buf.h */
struct event;			/* record/record.h */

/* 1.3.0: its buffer's size, which shows when text and dump share stdout */
enum { DUMP_BUFFER = 131072 };

/*
 * Appends a record to out.  version: 7, 8, or 0 for the record's own (7 if it
 * is older).  0, or -ERANGE: the record does not fit version 7.
 */
int dump_event(struct buf *out, const struct event *ev, unsigned int version);

#endif
