/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copies of events with their payloads, which may be moved: kept_event() sets
 * the payload pointer.
 */
#ifndef RECORD_KEPT_H
#define RECORD_KEPT_H

#include <stddef.h>
#include <stdint.h>

#include "record/record.h"

enum { KEPT_NEAR = 24 };	/* bytes kept here: a cgroup id and a remap */

struct kept {
	struct event ev;	/* without its payload pointer */
	union {
		uint8_t here[KEPT_NEAR];
		uint8_t *far;	/* allocated */
	} payload;
};

/* copies *ev to *k; 0 or -ENOMEM: *k has nothing to free */
int event_keep(struct kept *k, const struct event *ev);

/* the event with its payload; valid until *k is moved or freed */
struct event *kept_event(struct kept *k);

/* bytes allocated for the payload */
size_t kept_allocated(const struct kept *k);

/* frees the payload */
void kept_free(struct kept *k);

#endif
