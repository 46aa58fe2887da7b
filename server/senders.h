/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who sends: a sender is all that comes from one address, or by one identity.
 * What has to be fair between machines is counted here, not by connection or
 * run, of which a machine can have any number.
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

/*
 * The networks that may send: a list of ADDR or ADDR/BITS, of either family.
 */

struct sockaddr;

struct server_net {
	int family;		/* AF_INET or AF_INET6 */
	uint8_t addr[16];	/* network order, 4 or 16 bytes */
	unsigned int bits;	/* of addr that must be the same */
};

/* parses "192.0.2.0/24" or "::1"; 0, or -EINVAL if it is neither */
int server_net_parse(struct server_net *n, const char *text);

/* whether the peer is in one of the count networks; in an empty list all are */
bool server_net_match(const struct server_net *nets, unsigned int count,
		      const struct sockaddr *peer);

/* --- senders -------------------------------------------------------------- */

enum {
	/* an identity; or an address as text, with its interface */
	SENDER_NAME = IDENTITY,
	/* senders without a connection whose counts are remembered; beyond it
	 * those who left first are forgotten */
	SENDERS_GONE_MAX = 1 << 16,
	/* what a sender's runs may print at once, bytes, and again each s */
	SENDER_LINES = 2 << 20,
	SENDER_LINES_EACH = 64 << 10,
};

/* what each sender may have; 0: any number */
struct sender_limits {
	unsigned int runs;	/* at a time */
	uint64_t bytes;		/* stored since the start */
	uint64_t files;		/* made since then, directories with them */
};

struct sender {
	struct ring ring;	/* of those that are gone */
	uint64_t key;
	size_t clients;		/* its connections */
	size_t active;		/* of them, not finished: clients counts this */
	unsigned int runs;	/* that are open */
	uint64_t bytes, files;
	size_t waiting;		/* bytes of blocks that are not whole yet */
	int64_t lines;		/* bytes that may be printed now */
	int64_t lines_at;	/* when that was so, in ms */
	char name[SENDER_NAME];
};

struct senders {
	struct hash by_name;
	struct ring gone;	/* the last to leave is last */
	size_t gone_count;
};

/* nobody is there */
void senders_init(struct senders *s);

/*
 * The sender of that name, shorter than SENDER_NAME, with one client more.
 * NULL: out of memory.
 */
struct sender *sender_join(struct senders *s, const char *name);

/* the sender of that name, or NULL */
struct sender *sender_find(const struct senders *s, const char *name);

/*
 * It has one client less.  With the last one *sender is freed, or if something
 * has been counted forgotten later.
 */
void sender_leave(struct senders *s, struct sender *sender);

/* whether len bytes of lines about it may be printed now; then they count */
bool sender_may_print(struct sender *sender, size_t len);

/* once all have left */
void senders_free(struct senders *s);

#endif
