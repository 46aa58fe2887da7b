/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The connections of a server.  Each waits for something with a limit of its
 * own, and what one of them does costs the same however many others there are.
 */
#ifndef SERVER_CLIENTS_H
#define SERVER_CLIENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/ring.h"
#include "net.h"
#include "server/senders.h"

struct client;
struct poller;			/* server/poller.h */
struct report;			/* server/report.h */
struct runs;			/* server/runs.h */
struct tls;			/* transport/tls.h */

enum client_state {
	CLIENT_SHAKING,		/* has not proven yet who it is */
	CLIENT_NEW,		/* has opened nothing */
	CLIENT_SILENT,		/* opened; nothing has come of its run yet, or
				 * nobody has looked since */
	CLIENT_SENDING,		/* something has: may be quiet for ever */
	CLIENT_LINGERING,	/* finished; waits for the peer to close */
	CLIENT_STATES,
};

struct clients_options {
	struct poller *poller;	/* is told of sockets, with their client */
	struct report *report;
	struct runs *runs;
	const struct tls *tls;	/* NULL: plain connections */
	size_t max;		/* at a time */
	unsigned int idle;	/* s that a run may be silent; 0: for ever */
};

struct clients {
	struct clients_options o;
	struct net_header self;	/* our fields in answers */
	struct senders senders;
	struct ring states[CLIENT_STATES];	/* in order of deadlines */
	size_t count;
	uint8_t *bytes;		/* what one read has brought */
};

/* 0 or -ENOMEM */
int clients_open(struct clients *cs, const struct clients_options *o);

/*
 * Whether there is room for one more of that host, which may have three
 * quarters of all; if not, one that has opened nothing is ended for it, if
 * there is one.
 */
bool clients_make_room(struct clients *cs, const char *host);

/* takes over the socket fd of the peer host; a failure closes and reports it */
void clients_add(struct clients *cs, int fd, const char *host);

/* reads once what c has sent; c may be gone afterwards */
void client_read(struct client *c);

/* when clients_end_overdue() has something to do, in ms; INT64_MAX: never */
int64_t clients_deadline(const struct clients *cs);
void clients_end_overdue(struct clients *cs);

/* ends all that are left; of an all-zero *cs there are none */
void clients_close(struct clients *cs);

#endif
