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

void bunch_file_encode(const struct bunch_file *h, uint8_t raw[BUNCH_FILE_HEAD])
{
	raw = put(raw, h->version);
	raw = put(raw, h->genesis);
	raw = put(raw, h->bunches);
	put(raw, h->packets);
}

void bunch_file_decode(struct bunch_file *h, const uint8_t raw[BUNCH_FILE_HEAD])
{
	h->version = get(raw);
	h->genesis = get(raw + 8);
	h->bunches = get(raw + 16);
	h->packets = get(raw + 24);
}

/* --- a packet: sector, bytes, then two 32-bit words: 1 for a read, nothing  */

static void packet_encode(const struct packet *p, uint8_t *raw)
{
	const uint32_t words[2] = { p->read, 0 };

	raw = put(raw, p->sector);
	raw = put(raw, p->bytes);
	memcpy(raw, words, sizeof(words));
}

/* After the direction is padding, which may have any value in old files. */
static const char *packet_decode(struct packet *p, const uint8_t *raw)
{
	uint64_t bytes = get(raw + 8);
	uint32_t direction;

	memcpy(&direction, raw + 16, sizeof(direction));
	if (bytes > UINT32_MAX)
		return "an I/O longer than 4 GiB";
	if (direction > 1)
		return "an I/O that is neither read nor write";
	p->sector = get(raw);
	p->bytes = (uint32_t)bytes;
	p->read = direction;
	return NULL;
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

int bunch_decode(struct bunch *b, const uint8_t *raw, size_t len,
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
		*what = packet_decode(&b->packets[i], raw + *at);
		if (*what)
			return -1;
	}
	return (int)bunch_size(b);
}
