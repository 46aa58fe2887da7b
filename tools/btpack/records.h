/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The records of a member that is a trace, selected: as bytes, in the version
 * and byte order in which they were recorded.
 *
 * Sequence numbers lack the events that are left out, so that only those are
 * missing which were missing before; seals count and sum up what is left.
 * Damage is reported and left out.
 */
#ifndef TOOLS_BTPACK_RECORDS_H
#define TOOLS_BTPACK_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct member;			/* tools/btpack/members.h */
struct records;
struct selection;		/* tools/btpack/selection.h */

/* 0 and *r; or -errno.  The selection must outlive it, and may be set until the
 * first read. */
int records_open(struct records **r, const struct member *m,
		 const struct selection *s);

/* up to len bytes to buf: their number, 0 at the end; or -errno */
ssize_t records_read(struct records *r, uint8_t *buf, size_t len);

/* whether damage was reported */
bool records_damaged(const struct records *r);

/* NULL is fine */
void records_close(struct records *r);

/* The time of a member's first event, ns; UINT64_MAX: it has none, or cannot be
 * read. */
uint64_t records_first(const struct member *m);

#endif
