/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The record of an io that leaves, made of what was kept of it.
 */
#ifndef REQUEST_RECORD_H
#define REQUEST_RECORD_H

struct io;			/* request/io.h */
struct joiner;			/* request/items.h */
struct open_io;

/* Fills *out; the io's request, if it has one, is still as it was. */
void record_make(struct joiner *j, const struct open_io *io, struct io *out);

/* the same of one that is still open: it has no phases, and what it may get yet
 * is missing */
void record_make_open(const struct joiner *j, const struct open_io *io,
		      struct io *out);

#endif
