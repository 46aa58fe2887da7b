/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Senders, each an address or an identity, and their limits, which are fair
 * between machines: a machine may have any number of connections and runs.
 */
#ifndef SERVER_SENDERS_H
#define SERVER_SENDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/ring.h"
#include "transport/identity.h"

/* --- allow ---------------------------------------------------------------- */

/* a network that may send: ADDR or ADDR/BITS, of either family */
struct sockaddr;

struct server_net {
	int family;		/* AF_INET or AF_INET6 */
	uint8_t addr[16];	/* network order, 4 or 16 bytes */
	unsigned int bits;	/* of addr that must match */
};

/* parses "192.0.2.0/24" or "::1"; 0 or -EINVAL */
int server_net_parse(struct server_net *n, const char *text);

/* whether the peer is in one of the networks; an empty list has all */
bool server_net_match(const struct server_net *nets, unsigned int count,
		      const struct sockaddr *peer);

/* --- senders -------------------------------------------------------------- */

/*
 * Whose limits count for a peer with that address and its text: the text; but a
 * machine with IPv6 may have any address of its network, so all of a /64 are one
 * sender.  Link-local addresses are each their own, as a link is one /64.
 */
void sender_of_peer(char name[IDENTITY], const struct sockaddr *peer,
		    const char *text);

enum {
	/* an identity; or an address as text, with its interface */
	SENDER_NAME = IDENTITY,
	/* disconnected senders whose counts are kept; forgets the oldest */
	SENDERS_GONE_MAX = 1 << 16,
	/* bytes that a sender's runs may print at once, and per second */
	SENDER_LINES = 2 << 20,
	SENDER_LINES_EACH = 64 << 10,
};

/* limits of each sender; 0: none */
struct sender_limits {
	unsigned int runs;	/* at a time */
	uint64_t bytes;		/* stored since the start */
	uint64_t day_bytes;	/* stored since the last midnight, UTC */
	uint64_t files;		/* made since the start, and directories */
};

struct sender {
	struct ring ring;	/* of disconnected ones */
	uint64_t key;
	size_t clients;		/* its connections */
	size_t active;		/* of them, not finished; counted by clients */
	unsigned int runs;	/* open ones */
	uint64_t bytes, files;	/* for limits: removed ones are forgotten */
	uint64_t stored;	/* bytes since the start, */
	uint64_t refused;	/* and connections */
	int64_t heard_ms;	/* when it last stored something, or began */
	uint64_t day_bytes;	/* on this day */
	int64_t day;		/* since 1970 */
	size_t waiting;		/* bytes of incomplete blocks */
	int64_t credit;		/* ns that it may be served for, */
	uint64_t round;		/* as of this round; counted by clients */
	int64_t lines;		/* bytes that may be printed, */
	int64_t lines_at;	/* as of this time, in ms */
	char name[SENDER_NAME];
};

struct senders {
	struct hash by_name;
	struct ring gone;	/* in order of leaving */
	size_t gone_count;
};

/* makes *s empty */
void senders_init(struct senders *s);

/* adds a client to the sender of that name, shorter than SENDER_NAME; NULL: no
 * memory */
struct sender *sender_join(struct senders *s, const char *name);

/* the sender of that name, or NULL */
struct sender *sender_find(const struct senders *s, const char *name);

/* removes a client; the last one frees *sender, or if it has counts, lets it be
 * forgotten later */
void sender_leave(struct senders *s, struct sender *sender);

/* of len bytes, those that it may still store at that time of day (s since 1970) */
size_t sender_room(struct sender *sender, const struct sender_limits *l,
		   size_t len, int64_t now);

/* it has stored so many, after sender_room() */
void sender_stored(struct sender *sender, size_t len);

/* whether len bytes of its lines may be printed now; counts them */
bool sender_may_print(struct sender *sender, size_t len);

/* after all have left */
void senders_free(struct senders *s);

#endif
