/* SPDX-License-Identifier: GPL-2.0-only */
/* Networks that may send; see allow.h. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>

#include "server/allow.h"

/* Decimal digits only, at most max; -1 if it is not that. */
static int parse_bits(const char *text, int max)
{
	int bits = 0;

	if (!*text)
		return -1;
	for (; *text; text++) {
		if (*text < '0' || *text > '9')
			return -1;
		bits = bits * 10 + (*text - '0');
		if (bits > max)
			return -1;
	}
	return bits;
}

int server_net_parse(struct server_net *n, const char *text)
{
	char addr[INET6_ADDRSTRLEN];
	const char *slash = strchr(text, '/');
	size_t len = slash ? (size_t)(slash - text) : strlen(text);
	int max, bits;

	if (len >= sizeof(addr))
		return -EINVAL;
	memcpy(addr, text, len);
	addr[len] = '\0';
	n->family = strchr(addr, ':') ? AF_INET6 : AF_INET;
	if (inet_pton(n->family, addr, n->addr) != 1)
		return -EINVAL;
	max = n->family == AF_INET6 ? 128 : 32;
	bits = slash ? parse_bits(slash + 1, max) : max;
	if (bits < 0)
		return -EINVAL;
	n->bits = (unsigned int)bits;
	return 0;
}

static bool same_bits(const uint8_t *a, const uint8_t *b, unsigned int bits)
{
	unsigned int rest = bits % 8;

	if (memcmp(a, b, bits / 8))
		return false;
	return !rest || !((a[bits / 8] ^ b[bits / 8]) >> (8 - rest));
}

static const uint8_t *address_of(const struct sockaddr *peer)
{
	const void *p = peer;

	if (peer->sa_family == AF_INET6)
		return ((const struct sockaddr_in6 *)p)->sin6_addr.s6_addr;
	return (const void *)&((const struct sockaddr_in *)p)->sin_addr;
}

bool server_net_match(const struct server_net *nets, unsigned int count,
		      const struct sockaddr *peer)
{
	for (unsigned int i = 0; i < count; i++)
		if (nets[i].family == peer->sa_family &&
		    same_bits(nets[i].addr, address_of(peer), nets[i].bits))
			return true;
	return count == 0;
}
