/* SPDX-License-Identifier: GPL-2.0-only */
/* Kinds of I/Os, as recorded and as sent. */
#ifndef TOOLS_BTREPLAY_KIND_H
#define TOOLS_BTREPLAY_KIND_H

#include <stdbool.h>
#include <stdint.h>

struct packet;			/* replay/bunch.h */
struct replay_options;		/* tools/btreplay/options.h */

enum kind {
	KIND_READ,
	KIND_WRITE,
	KIND_FUA,		/* a write that completes on the medium */
	KIND_FLUSH,
	KIND_DISCARD,
	KIND_ZEROES,
	KINDS
};

struct kind_sums {
	uint64_t ios, bytes;
};

/* of an I/O, without a flush before a write, which is an I/O itself */
enum kind kind_of(const struct packet *p);

/* plural words, "FUA writes"; and JSON's name, "fua_writes" */
const char *kind_name(enum kind k);
const char *kind_member(enum kind k);

/*
 * The kind sent for kind k; KINDS: none.  Without -W, writes become reads, and
 * I/Os that destroy or order data are left out.
 */
enum kind kind_sent_as(enum kind k, const struct replay_options *o);

/* whether it changes the device */
static inline bool kind_changes(enum kind k)
{
	return k != KIND_READ && k != KIND_FLUSH;
}

/* whether the kernel has only blocking calls for it */
static inline bool kind_is_call(enum kind k)
{
	return k == KIND_FLUSH || k == KIND_DISCARD || k == KIND_ZEROES;
}

#endif
