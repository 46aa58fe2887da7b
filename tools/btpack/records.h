/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The records of a member that is a trace, selected and maybe anonymised: as
 * bytes, in the version and byte order in which they were recorded.
 *
 * Sequence numbers lack the events that are left out, so that only those are
 * missing which were missing before; seals count and sum up what is left.
 * Damage is reported, and becomes zeros, so that readers report it, too.
 */
#ifndef TOOLS_BTPACK_RECORDS_H
#define TOOLS_BTPACK_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct disguise;		/* tools/btpack/disguise.h */
struct member;			/* tools/btpack/members.h */
struct records;
struct selection;		/* tools/btpack/selection.h */

/* which records, and how they are changed; must outlive what reads by it */
struct records_wishes {
	const struct selection *selection;
	struct disguise *disguise;	/* NULL: as they are */
};

/* 0 and *r; or -errno */
int records_open(struct records **r, const struct member *m,
		 const struct records_wishes *w);

/* up to len bytes to buf: their number, 0 at the end; or -errno */
ssize_t records_read(struct records *r, uint8_t *buf, size_t len);

/* whether damage was reported */
bool records_damaged(const struct records *r);

/* NULL is fine */
void records_close(struct records *r);

/* how a member starts */
struct records_start {
	uint64_t first;		/* time of its first event, ns; UINT64_MAX: it
				 * has none, or cannot be read */
	int error;		/* 0, or -ENOMEM */
};

/* A disguise, or NULL, learns its clock and how its devices are stacked. */
struct records_start records_look(const struct member *m, struct disguise *d);

#endif
