/*
 * Who may send: a list of networks, ADDR or ADDR/BITS, of either family.
 */
#ifndef SERVER_ALLOW_H
#define SERVER_ALLOW_H

#include <stdbool.h>
#include <stdint.h>

struct sockaddr;

struct server_net {
	int family;		/* AF_INET or AF_INET6 */
	uint8_t addr[16];	/* network order, 4 or 16 bytes */
	unsigned int bits;	/* how many must be the same */
};

/* reads "192.0.2.0/24", "::1"; 0, or -EINVAL when it is nothing of the kind */
int server_net_parse(struct server_net *n, const char *text);

/* whether one of the count networks has the peer; an empty list has all */
bool server_net_match(const struct server_net *nets, unsigned int count,
		      const struct sockaddr *peer);

#endif
