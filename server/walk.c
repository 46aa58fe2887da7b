/* SPDX-License-Identifier: GPL-2.0-only */
/* Counting records as they pass; see walk.h. */
#include <string.h>

#include "record/record.h"
#include "server/walk.h"

enum { MAGIC = 4 };

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Completes the header up to need bytes; returns bytes used. */
static size_t gather(struct walk *w, const uint8_t *p, size_t len, size_t need)
{
	size_t n = w->have < need ? smaller(len, need - w->have) : 0;

	memcpy(w->head + w->have, p, n);
	w->have += (uint32_t)n;
	return n;
}

static void end_record(struct walk *w, uint64_t at)
{
	w->events += !w->seal;
	w->seals += w->seal ? at - w->whole : 0;
	w->whole = at;
	w->have = 0;
}

/* One step in a header: its magic, which implies the size, then the rest;
 * returns bytes used. */
static size_t walk_header(struct walk *w, const uint8_t *p, size_t len)
{
	const struct layout *l;
	unsigned int version;
	size_t n = gather(w, p, len, MAGIC);
	struct event ev;
	bool swapped;

	if (w->have < MAGIC)
		return n;
	if (!record_magic(w->head, &version, &swapped)) {
		w->lost = true;
		return n;
	}
	l = record_layout(version, 0);
	n += gather(w, p + n, len - n, l->size);
	if (w->have < l->size)
		return n;
	record_decode(l, swapped, w->head, &ev);
	w->skip = ev.pdu_len;
	w->seal = event_is_note(&ev) && event_number(&ev) == BLK_TN_SEAL;
	if (!w->skip)
		end_record(w, w->bytes + n);
	return n;
}

static size_t walk_payload(struct walk *w, size_t len)
{
	size_t n = smaller(len, w->skip);

	w->skip -= (uint32_t)n;
	if (!w->skip)
		end_record(w, w->bytes + n);
	return n;
}

void walk_add(struct walk *w, const uint8_t *p, size_t len)
{
	while (len && !w->lost) {
		size_t n = w->skip ? walk_payload(w, len) :
				     walk_header(w, p, len);

		w->bytes += n;
		p += n;
		len -= n;
	}
	w->bytes += len;
}
