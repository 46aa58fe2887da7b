/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What conversations by either protocol have in common: who talks to whom, and
 * how that ends.
 */
#ifndef SERVER_CONVERSATION_H
#define SERVER_CONVERSATION_H

#include <stdbool.h>
#include <stddef.h>

#include "net.h"
#include "server/runs.h"

enum { TALK_ERROR = 192 };	/* characters, with the NUL */

struct talk_options {
	struct runs *runs;
	struct report *report;
	struct peer peer;	/* host is not copied */
	struct net_header self;	/* the server's fields in answers */
	bool cards;		/* takes cards: the peer is authenticated */
	/* sends all of an answer; 0; or -errno, which ends the conversation */
	int (*answer)(void *ctx, const void *bytes, size_t len);
	/* there is something to acknowledge, without new bytes; or NULL */
	void (*owes)(void *ctx);
	void *ctx;
};

enum talk_state {
	TALK_ON,
	TALK_DONE,		/* all lanes have been closed */
	TALK_BAD,		/* talk_error() has the reason */
};

#endif
