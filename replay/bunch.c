/* SPDX-License-Identifier: GPL-2.0-only */
/* The replay file's bytes; see bunch.h. */
#include <string.h>

#include "replay/bunch.h"

static uint8_t *put(uint8_t *p, uint64_t v)
{
	memcpy(p, &v, sizeof(v));
	return p + sizeof(v);
}

static uint64_t get(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* --- the file's header --------------------------------------------------- */

/* the mark of a file with kinds, in the upper bits of packets */
enum { MARK_SHIFT = 48 };
#define MARK UINT64_C(0x6b69)

void bunch_file_encode(const struct bunch_file *h, uint8_t raw[BUNCH_FILE_HEAD])
{
	raw = put(raw, h->version);
	raw = put(raw, h->genesis);
	raw = put(raw, h->bunches);
	put(raw, h->packets | (h->kinds ? MARK << MARK_SHIFT : 0));
}

void bunch_file_decode(struct bunch_file *h, const uint8_t raw[BUNCH_FILE_HEAD])
{
	h->version = get(raw);
	h->genesis = get(raw + 8);
	h->bunches = get(raw + 16);
	h->packets = get(raw + 24);
	h->kinds = h->packets >> MARK_SHIFT == MARK;
	if (h->kinds)
		h->packets &= (UINT64_C(1) << MARK_SHIFT) - 1;
}

/* --- a packet: sector, bytes, then two 32-bit words: 1 for a read, the kind */

/* the second word: the sectors of an I/O without data, whose bytes are 0 then,
 * the kind, and flags of writes */
enum {
	WORD_SECTORS = 0x7fffff,
	WORD_KIND_SHIFT = 24,
	WORD_KIND = 7 << WORD_KIND_SHIFT,
	WORD_FUA = 1 << 27,
	WORD_PREFLUSH = 1 << 28,
};

static uint32_t word_of(const struct packet *p)
{
	uint32_t word = (uint32_t)p->kind << WORD_KIND_SHIFT;

	if (p->kind != PACKET_DATA)
		return word | p->bytes / 512;
	return word | (p->fua ? WORD_FUA : 0) |
	       (p->preflush ? WORD_PREFLUSH : 0);
}

static void packet_encode(const struct packet *p, uint8_t *raw)
{
	const uint32_t words[2] = { p->read, word_of(p) };

	raw = put(raw, p->sector);
	raw = put(raw, p->kind == PACKET_DATA ? p->bytes : 0);
	memcpy(raw, words, sizeof(words));
}

/* Sets kind, flags and bytes; returns a phrase, or NULL. */
static const char *kind_decode(struct packet *p, uint32_t word)
{
	const uint32_t flags = WORD_FUA | WORD_PREFLUSH;
	uint32_t kind = (word & WORD_KIND) >> WORD_KIND_SHIFT;

	if (kind >= PACKET_KINDS || word & ~(WORD_SECTORS | WORD_KIND | flags))
		return "an I/O of an unknown kind";
	if (kind == PACKET_DATA ? word & WORD_SECTORS :
				  word & flags || p->bytes || p->read)
		return "an I/O of two kinds";
	if (p->read && word & flags)
		return "a read that is flushed";
	p->kind = (uint8_t)kind;
	p->fua = word & WORD_FUA;
	p->preflush = word & WORD_PREFLUSH;
	if (kind != PACKET_DATA)
		p->bytes = (word & WORD_SECTORS) * 512;
	return NULL;
}

/* Without kinds, the second word is padding. */
static const char *packet_decode(struct packet *p, const uint8_t *raw,
				 bool kinds)
{
	uint64_t bytes = get(raw + 8);
	uint32_t words[2];

	memcpy(words, raw + 16, sizeof(words));
	if (bytes > UINT32_MAX)
		return "an I/O longer than 4 GiB";
	if (words[0] > 1)
		return "an I/O that is neither read nor write";
	*p = (struct packet){ .sector = get(raw), .bytes = (uint32_t)bytes,
			      .read = words[0] };
	return kinds ? kind_decode(p, words[1]) : NULL;
}

/* --- a bunch: count, time, packets --------------------------------------- */

size_t bunch_size(const struct bunch *b)
{
	return BUNCH_HEAD + (size_t)b->count * BUNCH_PACKET;
}

size_t bunch_encode(const struct bunch *b, uint8_t *raw)
{
	uint8_t *p = put(put(raw, b->count), b->time);

	for (uint32_t i = 0; i < b->count; i++, p += BUNCH_PACKET)
		packet_encode(&b->packets[i], p);
	return bunch_size(b);
}

int bunch_decode(struct bunch *b, const uint8_t *raw, size_t len, bool kinds,
		 const char **what, size_t *at)
{
	uint64_t count;

	*at = 0;
	if (len < BUNCH_HEAD)
		return 0;
	count = get(raw);
	*what = "a bunch that is not of 1 to 512 I/Os";
	if (count < 1 || count > BUNCH_MAX)
		return -1;
	b->count = (uint32_t)count;
	b->time = get(raw + 8);
	if (len < bunch_size(b))
		return 0;
	for (uint32_t i = 0; i < b->count; i++) {
		*at = BUNCH_HEAD + (size_t)i * BUNCH_PACKET;
		*what = packet_decode(&b->packets[i], raw + *at, kinds);
		if (*what)
			return -1;
	}
	return (int)bunch_size(b);
}
