/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The protocol of one connection, without the socket: received bytes go in,
 * answers come out, and data goes to the lanes of a run.
 *
 * A peer may send anything.  What breaks the rules of doc/blktrace-net.5 ends
 * its conversation, and has no other effect.
 */
#ifndef SERVER_TALK_H
#define SERVER_TALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net.h"
#include "server/runs.h"

/* --- whole ---------------------------------------------------------------- */

/*
 * A block of bytes that is only of use as a whole: it waits in memory until all
 * of it has come.  How much may wait is counted by sender.
 */

struct sender;			/* server/senders.h */

/* bytes that one sender may have waiting, by all its connections */
enum { WHOLE_WAITING = 16 << 20 };

struct whole {
	struct sender *sender;	/* or NULL: then nothing is counted */
	uint8_t *bytes;		/* NULL: none is begun */
	size_t size, have;
};

/* --- talk ----------------------------------------------------------------- */

struct talk;

/* lanes that one connection may open */
enum { TALK_LANES_MAX = 4096 };

struct talk_options {
	struct runs *runs;
	struct report *report;
	struct peer peer;	/* host is not copied */
	struct net_header self;	/* the server's fields in answers */
	bool cards;		/* it is known who sends, and may send these */
	/* sends an answer; 0; or -errno, which ends the conversation */
	int (*answer)(void *ctx, const uint8_t raw[NET_HEADER]);
	void *ctx;
};

enum talk_state {
	TALK_ON,
	TALK_DONE,		/* all lanes have been closed */
	TALK_BAD,		/* talk_error() has the reason */
};

/* NULL: out of memory */
struct talk *talk_new(const struct talk_options *o);

/* handles received bytes; to be called again only after TALK_ON */
enum talk_state talk_add(struct talk *t, const uint8_t *p, size_t len);

/* how many lanes are open */
size_t talk_lanes(const struct talk *t);

/* how many have been opened so far */
size_t talk_opens(const struct talk *t);

/* whether something is open of whose run no data has come, on any connection */
bool talk_is_silent(const struct talk *t);

/* why it is TALK_BAD; good as long as t */
const char *talk_error(const struct talk *t);

/* closes and reports lanes that are still open, and frees t */
void talk_free(struct talk *t);

#endif
