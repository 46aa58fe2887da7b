/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes bunches of I/Os.
 *
 * 1.3.0: I/Os are added to a bunch until it is full, or until an I/O is later
 * than the first by more than a given time.  All of them get the time of the
 * first.
 *
 * The exact rule: every I/O is a bunch of its own with its own time, and I/Os
 * that are a little out of order are sorted.
 */
#ifndef REPLAY_BUNCH_BUILDER_H
#define REPLAY_BUNCH_BUILDER_H

#include <stdbool.h>
#include <stdint.h>

#include "replay/bunch.h"

/* exact: I/Os held for sorting, at most */
enum { BUNCH_BUILDER_HELD = 512 };

struct bunch_builder_options {
	bool exact;
	/* for 1.3.0's rule */
	uint64_t max_time;	/* ns */
	uint32_t max_packets;	/* 1 to BUNCH_MAX */
};

struct bunch_builder_held {
	uint64_t time;
	struct packet packet;
};

struct bunch_builder {
	struct bunch_builder_options o;
	/* is given each finished bunch; a result other than 0 ends it */
	int (*put)(void *ctx, const struct bunch *b);
	void *ctx;
	struct bunch open;	/* none while its count is 0 */
	struct bunch_builder_held held[BUNCH_BUILDER_HELD];
	uint32_t held_count;
};

void bunch_builder_init(struct bunch_builder *b,
			const struct bunch_builder_options *o,
			int (*put)(void *ctx, const struct bunch *bunch),
			void *ctx);

/* adds an I/O; 0, or what put() has returned */
int bunch_builder_add(struct bunch_builder *b, uint64_t time,
		      const struct packet *p);

/* after the last I/O; 0, or what put() has returned */
int bunch_builder_flush(struct bunch_builder *b);

#endif
