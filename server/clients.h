/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A server's connections, each with its own time limit; the cost of one does
 * not depend on the number of others.
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
struct syncer;			/* server/syncer.h */
struct tls;			/* transport/tls.h */

#define CLIENTS_TURN 2000000	/* ns */

/* ms from one sync to the next, which serves all that was stored since */
enum { CLIENTS_SYNC_MS = 100 };

enum client_state {
	CLIENT_SHAKING,		/* not authenticated yet */
	CLIENT_NEW,		/* has opened nothing */
	CLIENT_SILENT,		/* has opened a lane; no data of its run yet, as
				 * of the last check */
	CLIENT_SENDING,		/* has sent data, and may pause for ever */
	CLIENT_LINGERING,	/* finished; waits for the peer to close */
	CLIENT_STATES,
};

struct clients_options {
	struct poller *poller;	/* watches sockets, with their client */
	struct report *report;
	struct runs *runs;
	struct tls *tls;	/* NULL: plain connections */
	/* what is acknowledged is on the disk; NULL: written */
	struct syncer *syncer;
	size_t max;		/* at a time */
	unsigned int idle;	/* s a run may be silent; 0: for ever */
};

struct clients {
	struct clients_options o;
	struct net_header self;	/* our fields in answers */
	struct senders senders;
	struct ring states[CLIENT_STATES];	/* in order of deadlines */
	size_t count;
	uint64_t round;
	uint64_t refused;	/* connections that were dropped */
	/* clients with blocks to acknowledge: soon or after the next sync, and
	 * after the one that is under way; the next one is for sync_at, in ms */
	struct ring unsynced, syncing;
	int64_t sync_at;
	uint8_t *bytes;		/* of one read */
};

/* 0 or -ENOMEM */
int clients_open(struct clients *cs, const struct clients_options *o);

/* new connections authenticate by these keys from now on */
void clients_use(struct clients *cs, struct tls *tls);

/*
 * Whether there is room for one more of that sender (sender_of_peer()), which may
 * have three quarters of all; if needed, drops a connection that has opened
 * nothing.
 */
bool clients_make_room(struct clients *cs, const char *sender);

/* takes over the socket fd of a sender's host; reports a failure and closes it */
void clients_add(struct clients *cs, int fd, const char *sender,
		 const char *host);

/* Begins a round of clients_serve(): senders get CLIENTS_TURN more. */
void clients_round(struct clients *cs);

/*
 * Reads once from c, which may be freed.  All connections of a sender together
 * have CLIENTS_TURN for each round; a longer read is paid for by rounds to come,
 * in which c is left as it is.
 */
void clients_serve(struct clients *cs, struct client *c);

/* Acknowledges what it should, or begins a sync if one is due: after each round,
 * and at clients_deadline(). */
void clients_sync(struct clients *cs);

/* the syncer has finished */
void clients_synced(struct clients *cs);

/* the time for clients_end_overdue() and clients_sync(), in ms; INT64_MAX:
 * never */
int64_t clients_deadline(const struct clients *cs);
void clients_end_overdue(struct clients *cs);

/* ends all; an all-zero *cs has none */
void clients_close(struct clients *cs);

#endif
