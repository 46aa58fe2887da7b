/* SPDX-License-Identifier: GPL-2.0-only */
/* The wire format; see net.h. */
#include <string.h>

#include "blktrace.h"
#include "net.h"

/* the trace magic with a version that no record ever has */
#define NET_MAGIC BLK_MAGIC

enum { OFF_NAME = 4, OFF_NUMBERS = 36, NUMBERS = 7 };

/* the numbers of a header in the order of the wire */
static void numbers_of(const struct net_header *h, uint32_t n[NUMBERS])
{
	n[0] = h->cpu;
	n[1] = h->max_cpus;
	n[2] = h->len;
	n[3] = h->run;
	n[4] = h->buf_size;
	n[5] = h->buf_nr;
	n[6] = h->page_size;
}

static void set_numbers(struct net_header *h, const uint32_t n[NUMBERS])
{
	h->cpu = n[0];
	h->max_cpus = n[1];
	h->len = n[2];
	h->run = n[3];
	h->buf_size = n[4];
	h->buf_nr = n[5];
	h->page_size = n[6];
}

void net_encode(const struct net_header *h, uint8_t raw[NET_HEADER])
{
	uint32_t magic = NET_MAGIC, n[NUMBERS];

	numbers_of(h, n);
	memcpy(raw, &magic, sizeof(magic));
	/* do not send what follows the NUL */
	memset(raw + OFF_NAME, 0, NET_NAME);
	memcpy(raw + OFF_NAME, h->name, strnlen(h->name, NET_NAME - 1));
	memcpy(raw + OFF_NUMBERS, n, sizeof(n));
}

bool net_name_valid(const char *name)
{
	if (!*name || !strcmp(name, ".") || !strcmp(name, ".."))
		return false;
	for (; *name; name++)
		if (*name < ' ' || *name > '~' || *name == '/')
			return false;
	return true;
}

/* whether it is a CPU's number, or the card's */
static bool cpu_is_valid(const struct net_header *h)
{
	return h->cpu < h->max_cpus || h->cpu == NET_CPU_CARD;
}

static const char *bad_number(const struct net_header *h)
{
	enum net_kind kind = net_kind(h);

	if (h->max_cpus == 0 || h->max_cpus > BLK_CPU_MAX)
		return "bad number of CPUs";
	/* in a close, these are the drops */
	if ((kind == NET_OPEN || kind == NET_DATA) && !cpu_is_valid(h))
		return "bad CPU";
	if (h->len > NET_DATA_MAX)
		return "bad length";
	return NULL;
}

const char *net_decode(struct net_header *h, const uint8_t raw[NET_HEADER])
{
	uint32_t magic, n[NUMBERS];

	memcpy(&magic, raw, sizeof(magic));
	memcpy(h->name, raw + OFF_NAME, NET_NAME);
	memcpy(n, raw + OFF_NUMBERS, sizeof(n));
	if (magic != NET_MAGIC) {
		if (__builtin_bswap32(magic) != NET_MAGIC)
			return "bad magic";
		for (size_t i = 0; i < NUMBERS; i++)
			n[i] = __builtin_bswap32(n[i]);
	}
	if (!memchr(h->name, '\0', NET_NAME) || !net_name_valid(h->name))
		return NET_BAD_NAME;
	set_numbers(h, n);
	return bad_number(h);
}

size_t net_chunk(size_t left, size_t max)
{
	if (left <= max)
		return left;
	return left - max < NET_DATA ? max - NET_DATA : max;
}
