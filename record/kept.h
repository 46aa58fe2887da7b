/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An event that is kept: a copy with its payload, which lasts longer than the
 * buffer that the event was read from.
 *
 * Copies may be moved, as items of an array that grows are: the payload pointer
 * is set by kept_event().
 */
#ifndef RECORD_KEPT_H
#define RECORD_KEPT_H

#include <stddef.h>
#include <stdint.h>

#include "record/record.h"

enum { KEPT_NEAR = 24 };	/* bytes that need no memory of their own: a
				 * cgroup id and a remap */

struct kept {
	struct event ev;	/* but for its payload: kept_event() */
	union {
		uint8_t here[KEPT_NEAR];
		uint8_t *far;	/* allocated */
	} payload;
};

/* copies *ev to *k, which has nothing to be freed; 0 or -ENOMEM: it has none */
int event_keep(struct kept *k, const struct event *ev);

/* the event, its payload set; good until *k is moved or freed */
struct event *kept_event(struct kept *k);

/* bytes that are allocated for the payload */
size_t kept_allocated(const struct kept *k);

/* frees what *k has, after which it has nothing */
void kept_free(struct kept *k);

#endif
