/* SPDX-License-Identifier: GPL-2.0-only */
/* A log's profile: for each level, bytes read and written, their order, and the
 * sizes of accesses. */
#ifndef TOOLS_IOTRACER_PROFILE_H
#define TOOLS_IOTRACER_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#include "bpf/layout.h"

struct buf;			/* base/buf.h */

struct profile_size {
	uint64_t bytes;
	uint64_t events;
};

struct profile_level {
	uint64_t events;
	uint64_t first, last;	/* ns */
	uint64_t next;		/* address of a sequential access */
	uint64_t io[2];		/* bytes: read, written */
	uint64_t in_order[2], at_random[2];	/* events */
	struct profile_size *sizes;	/* ascending */
	size_t size_count, size_room;
};

struct profile {
	struct profile_level levels[LEVEL_COUNT];
};

/* an all-zero struct profile is empty */
void profile_free(struct profile *p);

/* adds the log's lines, in order; 0 or -ENOMEM */
int profile_add(struct profile *p, const struct bpf_line *l);

void profile_write(const struct profile *p, struct buf *out);

#endif
