/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was done to devices as an iolog of fio, version 3, which its
 * --read_iolog does again: reads, writes, trims (discards and zeroes) and
 * syncs, in the order in which they went out.  Times are us since the first.
 *
 * Of what is queued (IOLOG_AT_QUEUE), these are ios; parts of those that were
 * split and the kernel's own flushes are in them: a write that asks for a flush
 * before it has a datasync there, one with FUA has one behind it.  Of what is
 * issued (IOLOG_AT_ISSUE), these are requests as the driver got them, when it
 * did for the last time: the kernel's flushes are among them, and a datasync
 * stands behind FUA only where no flush of the kernel's does.
 *
 * Ios come as they are complete, in another order than the wanted one.  So
 * 65,536 are held, in 5 MiB; when there are more, the earliest is written.  An
 * io which comes after a later one was written stands behind that, with the
 * time of that, and is counted as late.
 */
#ifndef EMIT_IOLOG_H
#define EMIT_IOLOG_H

#include <stdint.h>

struct buf;			/* base/buf.h */
struct iolog;
struct named_io;		/* emit/named_io.h */

enum { IOLOG_HELD = 65536 };

/* a name in an iolog, which fio reads up to the next blank, and no further
 * than this */
enum { IOLOG_NAME_MAX = 255 };

enum iolog_at {
	IOLOG_AT_QUEUE,
	IOLOG_AT_ISSUE
};

struct iolog_options {
	enum iolog_at at;
	/* the file, for ios of one device; NULL: of each /dev/ and its name, or
	 * /dev/block/8:0 where it has none; what fio cannot read is a '_' */
	const char *target;
};

struct iolog_counts {
	uint64_t late;
	uint64_t foreign;	/* left out: commands, and what is done to
				 * zones; places beyond 2^64 bytes */
};

/* The beginning: 0 and *w, or -ENOMEM.  *b stays until the end, *o need not,
 * but for its target. */
int iolog_open(struct iolog **w, struct buf *b, const struct iolog_options *o);

/*
 * One more io; those of a request come one behind the other.  0, or -ENOMEM, or
 * -EXDEV: it is of another device than the one that there is a target for.
 */
int iolog_io(struct iolog *w, const struct named_io *io);

/* All that comes now was queued at this time or later: what was before that is
 * written. */
int iolog_settle(struct iolog *w, uint64_t time);

/* all ios have come; 0 or -ENOMEM */
int iolog_end(struct iolog *w);

const struct iolog_counts *iolog_counts(const struct iolog *w);

/* frees w, whether ended or not; NULL is fine */
void iolog_free(struct iolog *w);

#endif
