/* SPDX-License-Identifier: GPL-2.0-only */
/* The whole blocks of a packed file that another server has left. */
#ifndef SERVER_PACKED_WALK_H
#define SERVER_PACKED_WALK_H

#include <stdint.h>

struct pack_header;		/* pack/format.h */
struct unpacker;		/* pack/unpacker.h */

struct packed_walk {
	int fd;			/* may be read */
	uint64_t at, to;	/* bytes of the file that are looked at */
	/* blocks from this offset on count only if they can be unpacked */
	uint64_t check;
	struct unpacker *unpacker;
	/* takes each block in order; 0, or -errno, which ends the walk */
	int (*block)(void *ctx, const struct pack_header *h, uint64_t at);
	void *ctx;
	uint64_t end;		/* set: after the last block */
};

/* 0 or -errno */
int packed_walk(struct packed_walk *w);

#endif
