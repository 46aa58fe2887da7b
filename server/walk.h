/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts the records of one file while its bytes pass in pieces, and where the
 * last whole one ends.
 */
#ifndef SERVER_WALK_H
#define SERVER_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "blktrace.h"

/* all zero is the start of a file */
struct walk {
	uint64_t events;	/* whole records, but for seals: as the sender
				 * counts them */
	uint64_t seals;		/* bytes of seals */
	bool seal;		/* the record that is passing is one */
	uint64_t bytes;		/* that have passed */
	uint64_t whole;		/* of them in whole records */
	bool lost;		/* no record follows the whole ones */
	uint32_t skip;		/* bytes of a payload that are still to come */
	uint32_t have;		/* bytes of a header that have come */
	uint8_t head[BLK_HEADER_MAX];
};

void walk_add(struct walk *w, const uint8_t *p, size_t len);

/*
 * How many bytes at the end are part of a record, to be cut off.  0 for a file
 * that is no trace.
 */
static inline uint64_t walk_tail(const struct walk *w)
{
	return w->lost ? 0 : w->bytes - w->whole;
}

#endif
