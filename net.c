/* SPDX-License-Identifier: GPL-2.0-only */
/* The wire formats; see net.h. */
#include <endian.h>
#include <string.h>

#include "blktrace.h"
#include "net.h"

/* --- 1.3.0's protocol ----------------------------------------------------- */

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

bool net_name_harmless(const char *name)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789._!-";

	return *name != '-' && !name[strspn(name, allowed)];
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

/* --- the acknowledged protocol -------------------------------------------- */

/* of a frame; numbers follow */
enum { OFF_KIND = 0, OFF_LANE = 4, OFF_OFFSET = 8, OFF_LEN = 16, OFF_EXTRA = 20,
       KIND = 4 };

static const char kinds[FRAME_KINDS][KIND] = {
	[FRAME_BEGIN] = "BLKb", [FRAME_OPEN] = "BLKo",
	[FRAME_START] = "BLKs", [FRAME_DATA] = "BLKd",
	[FRAME_PACKED] = "BLKp",
	[FRAME_CLOSE] = "BLKc", [FRAME_END] = "BLKe",
	[FRAME_HAVE] = "BLKh", [FRAME_WELCOME] = "BLKw", [FRAME_ACK] = "BLKa",
	[FRAME_BYE] = "BLKy", [FRAME_REFUSAL] = "BLKr",
};

static void put_le32(uint8_t *raw, uint32_t n)
{
	n = htole32(n);
	memcpy(raw, &n, sizeof(n));
}

static void put_le64(uint8_t *raw, uint64_t n)
{
	n = htole64(n);
	memcpy(raw, &n, sizeof(n));
}

static uint32_t get_le32(const uint8_t *raw)
{
	uint32_t n;

	memcpy(&n, raw, sizeof(n));
	return le32toh(n);
}

static uint64_t get_le64(const uint8_t *raw)
{
	uint64_t n;

	memcpy(&n, raw, sizeof(n));
	return le64toh(n);
}

void frame_encode(const struct frame *f, uint8_t raw[FRAME])
{
	memcpy(raw + OFF_KIND, kinds[f->kind], KIND);
	put_le32(raw + OFF_LANE, f->lane);
	put_le64(raw + OFF_OFFSET, f->offset);
	put_le32(raw + OFF_LEN, f->len);
	put_le32(raw + OFF_EXTRA, f->extra);
}

bool frame_decode(struct frame *f, const uint8_t raw[FRAME])
{
	int kind = 0;

	while (kind < FRAME_KINDS && memcmp(kinds[kind], raw + OFF_KIND, KIND))
		kind++;
	*f = (struct frame){
		.kind = (enum frame_kind)kind,
		.lane = get_le32(raw + OFF_LANE),
		.offset = get_le64(raw + OFF_OFFSET),
		.len = get_le32(raw + OFF_LEN),
		.extra = get_le32(raw + OFF_EXTRA),
	};
	return kind < FRAME_KINDS;
}

void frame_hello_encode(const struct frame_hello *h, uint8_t raw[FRAME_HELLO])
{
	memcpy(raw, h->token, FRAME_TOKEN);
	put_le32(raw + FRAME_TOKEN, h->run);
}

void frame_hello_decode(struct frame_hello *h, const uint8_t raw[FRAME_HELLO])
{
	memcpy(h->token, raw, FRAME_TOKEN);
	h->run = get_le32(raw + FRAME_TOKEN);
}

void frame_lane_encode(const struct net_header *h, uint64_t stored,
		       uint8_t raw[FRAME_LANE])
{
	memset(raw, 0, NET_NAME);
	memcpy(raw, h->name, strnlen(h->name, NET_NAME - 1));
	put_le32(raw + NET_NAME, h->cpu);
	put_le32(raw + NET_NAME + 4, h->max_cpus);
	put_le64(raw + NET_NAME + 8, stored);
}

const char *frame_lane_decode(struct net_header *h, uint64_t *stored,
			      const uint8_t raw[FRAME_LANE])
{
	*h = (struct net_header){ .cpu = get_le32(raw + NET_NAME),
				  .max_cpus = get_le32(raw + NET_NAME + 4) };
	memcpy(h->name, raw, NET_NAME);
	*stored = get_le64(raw + NET_NAME + 8);
	if (!memchr(h->name, '\0', NET_NAME) || !net_name_valid(h->name))
		return NET_BAD_NAME;
	return bad_number(h);
}

void frame_totals_encode(const struct frame_totals *t,
			 uint8_t raw[FRAME_TOTALS])
{
	put_le64(raw, t->records);
	put_le64(raw + 8, t->bytes);
	put_le64(raw + 16, t->lost_records);
	put_le64(raw + 24, t->lost_bytes);
}

void frame_totals_decode(struct frame_totals *t,
			 const uint8_t raw[FRAME_TOTALS])
{
	t->records = get_le64(raw);
	t->bytes = get_le64(raw + 8);
	t->lost_records = get_le64(raw + 16);
	t->lost_bytes = get_le64(raw + 24);
}
