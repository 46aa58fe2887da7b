/* SPDX-License-Identifier: GPL-2.0-only */
/* Remaps that wait for their io. */
#ifndef REQUEST_OPEN_REMAP_H
#define REQUEST_OPEN_REMAP_H

#include <stdint.h>

#include "request/items.h"

/* a remap, to be filled in and entered; NULL: too many */
struct remap_wait *open_remap(struct joiner *j, struct queue *q);
/* it is found by a sector, and is the last of its process's; it is not */
void open_remap_enter(struct joiner *j, struct queue *q, struct remap_wait *r,
		      uint64_t sector);
void open_remap_leave(struct joiner *j, struct remap_wait *r);
/* the same, and it is gone */
void open_remap_forget(struct joiner *j, struct remap_wait *r);

#endif
