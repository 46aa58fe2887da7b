/* SPDX-License-Identifier: GPL-2.0-only */
/* Senders; see senders.h. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "server/senders.h"

/* --- allow ---------------------------------------------------------------- */

/* Decimal digits only, at most max; else -1. */
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

/* --- senders -------------------------------------------------------------- */

void sender_of_peer(char name[IDENTITY], const struct sockaddr *peer,
		    const char *text)
{
	struct in6_addr net;
	char shown[INET6_ADDRSTRLEN];

	snprintf(name, IDENTITY, "%s", text);
	if (peer->sa_family != AF_INET6)
		return;
	memcpy(&net, address_of(peer), sizeof(net));
	if (IN6_IS_ADDR_LINKLOCAL(&net) || IN6_IS_ADDR_LOOPBACK(&net) ||
	    IN6_IS_ADDR_V4MAPPED(&net))
		return;
	memset(net.s6_addr + 8, 0, 8);
	if (inet_ntop(AF_INET6, &net, shown, sizeof(shown)))
		snprintf(name, IDENTITY, "%s/64", shown);
}

void senders_init(struct senders *s)
{
	*s = (struct senders){ .gone_count = 0 };
	ring_init(&s->gone);
}

static uint64_t key_of(const struct senders *s, const char *name)
{
	return hash_text(&s->by_name, name, strlen(name));
}

struct sender *sender_find(const struct senders *s, const char *name)
{
	return hash_get(&s->by_name, key_of(s, name));
}

static struct sender *sender_new(struct senders *s, const char *name)
{
	struct sender *sender = calloc(1, sizeof(*sender));

	if (!sender)
		return NULL;
	sender->key = key_of(s, name);
	sender->lines = SENDER_LINES;
	sender->heard_ms = time_now_ms();
	memcpy(sender->name, name, strlen(name) + 1);
	if (!hash_put(&s->by_name, sender->key, sender))
		return sender;
	free(sender);
	return NULL;
}

static void come_back(struct senders *s, struct sender *sender)
{
	ring_take(&sender->ring);
	s->gone_count--;
}

struct sender *sender_join(struct senders *s, const char *name)
{
	struct sender *sender = sender_find(s, name);

	if (sender && !sender->clients)
		come_back(s, sender);
	if (!sender)
		sender = sender_new(s, name);
	if (sender)
		sender->clients++;
	return sender;
}

static void forget(struct senders *s, struct sender *sender)
{
	hash_del(&s->by_name, sender->key);
	free(sender);
}

static void forget_first(struct senders *s)
{
	struct sender *first = (struct sender *)s->gone.next;

	come_back(s, first);
	forget(s, first);
}

void sender_leave(struct senders *s, struct sender *sender)
{
	if (--sender->clients)
		return;
	if (!sender->stored && !sender->files) {
		forget(s, sender);
		return;
	}
	ring_put_last(&s->gone, &sender->ring);
	if (++s->gone_count > SENDERS_GONE_MAX)
		forget_first(s);
}

static uint64_t left_of(uint64_t limit, uint64_t had)
{
	return limit ? had < limit ? limit - had : 0 : UINT64_MAX;
}

size_t sender_room(struct sender *sender, const struct sender_limits *l,
		   size_t len, int64_t now)
{
	uint64_t room, today;

	if (now / 86400 != sender->day)
		sender->day_bytes = 0;
	sender->day = now / 86400;
	room = left_of(l->bytes, sender->bytes);
	today = left_of(l->day_bytes, sender->day_bytes);
	room = room < today ? room : today;
	return len < room ? len : (size_t)room;
}

void sender_stored(struct sender *sender, size_t len)
{
	sender->bytes += len;
	sender->day_bytes += len;
	sender->stored += len;
	sender->heard_ms = time_now_ms();
}

/* A sender that has not printed for a while has more at once. */
bool sender_may_print(struct sender *sender, size_t len)
{
	int64_t now = time_now_ms(), passed = now - sender->lines_at;

	/* a longer time fills it */
	if (passed > 1000 * (SENDER_LINES / SENDER_LINES_EACH))
		passed = 1000 * (SENDER_LINES / SENDER_LINES_EACH);
	sender->lines += passed * SENDER_LINES_EACH / 1000;
	if (sender->lines > SENDER_LINES)
		sender->lines = SENDER_LINES;
	sender->lines_at = now;
	if (sender->lines < 0)
		return false;
	sender->lines -= (int64_t)len;
	return true;
}

void senders_free(struct senders *s)
{
	while (!ring_is_empty(&s->gone))
		forget_first(s);
	hash_free(&s->by_name);
}
