/* SPDX-License-Identifier: GPL-2.0-only */
/* Divides the time of a call among what was under way. */
#ifndef COMMIT_PARTS_H
#define COMMIT_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "commit/commit.h"

struct writes;			/* commit/writes.h */

struct edge;

/* room for it, used again for each call; all-zero at first */
struct parts {
	struct edge *edges;
	size_t count, size;
};

/* Fills in parts, other, other_bytes and unsure of *c, whose other fields are
 * set.  All I/Os that ended up to its end are among the writes.  0 or -ENOMEM. */
int parts_divide(struct parts *p, const struct writes *w, struct commit *c);

void parts_free(struct parts *p);

#endif
