/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The networks that may send: a list of ADDR or ADDR/BITS, of either family.
 */
#ifndef SERVER_ALLOW_H
#define SERVER_ALLOW_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
