/*
 * I/Os, one after the other, made into bunches.
 *
 * The original's rule: a bunch takes I/Os until it is full, or until one comes
 * that is later than its first by more than a given time; all of them then
 * count as of the first one's time.  The exact rule: every I/O is a bunch of
 * its own and keeps its time, and I/Os that come a little out of order are put
 * in order.
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
	/* of the original's rule */
	uint64_t max_time;	/* ns */
	uint32_t max_packets;	/* 1 to BUNCH_MAX */
};

struct bunch_builder_held {
	uint64_t time;
	struct packet packet;
};

struct bunch_builder {
	struct bunch_builder_options o;
	/* takes a finished bunch; anything but 0 ends the bundling */
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

/* one more I/O; 0, or what put() has answered */
int bunch_builder_add(struct bunch_builder *b, uint64_t time,
		      const struct packet *p);

/* that was the last; 0, or what put() has answered */
int bunch_builder_flush(struct bunch_builder *b);

#endif
