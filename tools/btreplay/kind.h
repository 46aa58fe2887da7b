/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kinds of I/Os: what was recorded, and what becomes of it.
 */
#ifndef TOOLS_BTREPLAY_KIND_H
#define TOOLS_BTREPLAY_KIND_H

#include <stdbool.h>
#include <stdint.h>

struct packet;			/* replay/bunch.h */
struct replay_options;		/* tools/btreplay/options.h */

enum kind {
	KIND_READ,
	KIND_WRITE,
	KIND_FUA,		/* a write that is on the medium at its end */
	KIND_FLUSH,
	KIND_DISCARD,
	KIND_ZEROES,
	KINDS
};

struct kind_sums {
	uint64_t ios, bytes;
};

/* of an I/O; a flush before a write is one more, which this does not tell */
enum kind kind_of(const struct packet *p);

/* in words, of several: "FUA writes"; and as a member of JSON: "fua_writes" */
const char *kind_name(enum kind k);
const char *kind_member(enum kind k);

/*
 * What is sent for an I/O of kind k; KINDS: nothing, it is left out.  Without
 * -W writes are reads, and what destroys or orders data is left out.
 */
enum kind kind_sent_as(enum kind k, const struct replay_options *o);

/* whether the device changes by it */
static inline bool kind_changes(enum kind k)
{
	return k != KIND_READ && k != KIND_FLUSH;
}

/* whether the kernel has only calls for it that return when it is done */
static inline bool kind_is_call(enum kind k)
{
	return k == KIND_FLUSH || k == KIND_DISCARD || k == KIND_ZEROES;
}

#endif
