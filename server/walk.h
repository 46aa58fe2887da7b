/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts a file's records while its bytes pass in pieces, and finds the end of
 * the last whole one.
 */
#ifndef SERVER_WALK_H
#define SERVER_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "blktrace.h"

/* all zero is the start of a file */
struct walk {
	uint64_t events;	/* whole records except seals, as the sender
				 * counts them */
	uint64_t seals;		/* bytes of seals */
	bool seal;		/* the current record is one */
	uint64_t bytes;		/* passed */
	uint64_t whole;		/* of them in whole records */
	bool lost;		/* no record follows the whole ones */
	uint32_t skip;		/* payload bytes to come */
	uint32_t have;		/* header bytes that have come */
	uint8_t head[BLK_HEADER_MAX];
};

void walk_add(struct walk *w, const uint8_t *p, size_t len);

/* bytes of a partial record at the end, to cut off; 0 if it is no trace */
static inline uint64_t walk_tail(const struct walk *w)
{
	return w->lost ? 0 : w->bytes - w->whole;
}

#endif
