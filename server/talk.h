/*
 * One connection's side of the conversation, without the connection: bytes
 * go in as they come, answers come out, and what was sent is with the runs.
 *
 * A peer may do anything.  Whatever is against the rules of
 * doc/blktrace-net.5 ends the conversation, and nothing but that.
 */
#ifndef SERVER_TALK_H
#define SERVER_TALK_H

#include <stddef.h>
#include <stdint.h>

#include "net.h"
#include "server/runs.h"

struct talk;

/* lanes that one connection may open */
enum { TALK_LANES_MAX = 4096 };

struct talk_options {
	struct runs *runs;
	struct report *report;
	struct peer peer;	/* host stays where it is */
	struct net_header self;	/* what answers say of the server */
	/* sends an answer; 0, or -errno and the conversation ends */
	int (*answer)(void *ctx, const uint8_t raw[NET_HEADER]);
	void *ctx;
};

enum talk_state {
	TALK_ON,
	TALK_DONE,		/* all that was opened has been closed */
	TALK_BAD,		/* talk_error() says why */
};

/* NULL: out of memory */
struct talk *talk_new(const struct talk_options *o);

/* what has come; not to be called again unless it says TALK_ON */
enum talk_state talk_add(struct talk *t, const uint8_t *p, size_t len);

/* how many lanes are open */
size_t talk_lanes(const struct talk *t);

/* what was wrong; good as long as t */
const char *talk_error(const struct talk *t);

/* ends what is still open as if it had been closed, says so, and frees t */
void talk_free(struct talk *t);

#endif
