/* SPDX-License-Identifier: GPL-2.0-only */
/* Makes the record of an I/O. */
#ifndef REQUEST_RECORD_H
#define REQUEST_RECORD_H

struct io;			/* request/io.h */
struct joiner;			/* request/items.h */
struct open_io;

/* Fills *out at the end of an I/O, before its request changes. */
void record_make(struct joiner *j, const struct open_io *io, struct io *out);

/* the same for an open I/O: without phases and later events */
void record_make_open(const struct joiner *j, const struct open_io *io,
		      struct io *out);

#endif
