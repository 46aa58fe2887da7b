/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An iolog of fio, version 3, for its --read_iolog: reads, writes, trims
 * (discards and zeroes) and syncs in order of time, in us since the first.
 *
 * IOLOG_AT_QUEUE writes queued I/Os without parts and the kernel's own flushes:
 * a write with a preflush has a datasync before it, one with FUA a datasync
 * after it.  IOLOG_AT_ISSUE writes requests at their last issue, with the
 * kernel's flushes; a datasync follows FUA only if the kernel did not flush.
 *
 * I/Os come in order of completion.  65,536 are held, in 5 MiB, to sort them;
 * beyond that the earliest is written.  An I/O that is earlier than the last
 * written one follows it with that one's time, and is counted as late.
 */
#ifndef EMIT_IOLOG_H
#define EMIT_IOLOG_H

#include <stdint.h>

struct buf;			/* base/buf.h */
struct iolog;
struct named_io;		/* emit/named_io.h */

enum { IOLOG_HELD = 65536 };

enum { IOLOG_NAME_MAX = 255 };	/* bytes of a name that fio reads */

enum iolog_at {
	IOLOG_AT_QUEUE,
	IOLOG_AT_ISSUE
};

struct iolog_options {
	enum iolog_at at;
	/* the file, for I/Os of one device; NULL: /dev/NAME of each, or
	 * /dev/block/8:0 without a name; blanks become '_' */
	const char *target;
};

struct iolog_counts {
	uint64_t late;
	uint64_t foreign;	/* left out: packet commands, zone management,
				 * offsets beyond 2^64 bytes */
};

/* 0 and *w, or -ENOMEM.  *b and o->target must outlive *w. */
int iolog_open(struct iolog **w, struct buf *b, const struct iolog_options *o);

/*
 * Adds an I/O; those of a request come back to back.  0, -ENOMEM, or -EXDEV:
 * with a target, a second device.
 */
int iolog_io(struct iolog *w, const struct named_io *io);

/* Writes held I/Os before time: all that follow were queued then or later.
 * 0 or -ENOMEM */
int iolog_settle(struct iolog *w, uint64_t time);

/* writes all held I/Os and closes the files; 0 or -ENOMEM */
int iolog_end(struct iolog *w);

const struct iolog_counts *iolog_counts(const struct iolog *w);

/* NULL is fine */
void iolog_free(struct iolog *w);

#endif
