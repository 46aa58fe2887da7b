/* SPDX-License-Identifier: GPL-2.0-only */
/* Tells records from other bytes; see header.h. */
#include <ctype.h>

#include "file/header.h"

/* bytes after which the layout of an ambiguous version is decided */
enum { ENOUGH = 32768 };

/* Whether all bytes from raw are adjacent records of layout l. */
static bool walks(const struct layout *l, bool swapped, const uint8_t *raw,
		  const uint8_t *end)
{
	struct event ev;
	unsigned int version;
	bool order;

	while (end - raw >= l->size) {
		if (!record_magic(raw, &version, &order) ||
		    version != l->version || order != swapped)
			return false;
		record_decode(l, swapped, raw, &ev);
		if (end - raw < l->size + ev.pdu_len)
			return true;
		raw += l->size + ev.pdu_len;
	}
	return true;
}

/*
 * The first layout that fits all bytes.  Version 4 has one size with and
 * without a device: where the printable name is decides.
 */
static const struct layout *find_layout(unsigned int version, bool swapped,
				   const uint8_t *raw, const uint8_t *end)
{
	const struct layout *l;

	for (unsigned int n = 0; (l = record_layout(version, n)); n++) {
		if (version == 4 && end - raw >= l->size &&
		    !isprint(raw[l->comm]))
			continue;
		if (walks(l, swapped, raw, end))
			return l;
	}
	return record_layout(version, 0);
}

/* Any version but 7, or any in the other byte order. */
static enum header_verdict read_closely(struct header_reader *l,
					const uint8_t *raw, size_t avail,
					bool ended, struct header *h)
{
	unsigned int version;
	struct event ev;

	if (!record_magic(raw, &version, &h->swapped))
		return HEADER_BAD;
	if (!l->settled[version]) {
		if (avail < ENOUGH && record_layout(version, 1) && !ended)
			return HEADER_SHORT;
		l->settled[version] = find_layout(version, h->swapped, raw,
					     raw + avail);
	}
	h->layout = l->settled[version];
	h->size = h->layout->size;
	if (avail < h->size)
		return HEADER_SHORT;
	record_decode(h->layout, h->swapped, raw, &ev);
	h->action = ev.action;
	h->zone = ev.zone;
	h->cpu = ev.cpu;
	h->total = h->size + ev.pdu_len;
	return HEADER_WHOLE;
}

static void read_native(const uint8_t *raw, struct header *h)
{
	h->layout = NULL;
	h->swapped = false;
	h->size = BLK_HEADER_7;
	h->total = BLK_HEADER_7 + (size_t)get16(FIELD(raw, pdu_len));
	h->action = get32(FIELD(raw, action));
	h->zone = 0;
	h->cpu = get32(FIELD(raw, cpu));
}

enum header_verdict header_read(struct header_reader *l, const uint8_t *raw,
				size_t avail, bool ended, struct header *h)
{
	enum header_verdict v = HEADER_WHOLE;

	if (avail < sizeof(uint32_t))
		return HEADER_SHORT;
	if (avail >= BLK_HEADER_7 &&
	    get32(raw) == (BLK_MAGIC | BLK_VERSION_7))
		read_native(raw, h);
	else
		v = read_closely(l, raw, avail, ended, h);
	return v == HEADER_WHOLE && h->cpu >= BLK_CPU_MAX ? HEADER_BAD : v;
}

const char *header_why(const uint8_t *raw)
{
	unsigned int version;
	bool swapped;

	if (record_magic(raw, &version, &swapped))
		return "a record with an impossible CPU number";
	if ((get32(raw) & BLK_MAGIC_MASK) == BLK_MAGIC)
		return "a record of an unknown version";
	return "not a trace record";
}
