/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The binary dump (-d): every event as it was shown, notes as they were read,
 * in the host's byte order and each in its own version unless another is asked for.
 */
#ifndef EMIT_DUMP_H
#define EMIT_DUMP_H

struct buf;			/* base/buf.h */
struct event;			/* record/record.h */

/* 1.3.0: its buffer's size; where blocks end is visible when text and dump
 * share standard output */
enum { DUMP_BUFFER = 131072 };

/*
 * Appends a record to out.  version: 7, 8, or 0 for the record's own (7 for
 * all that are older).  0; or -ERANGE: version 7 has no room for this one.
 */
int dump_event(struct buf *out, const struct event *ev, unsigned int version);

#endif
