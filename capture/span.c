/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whole records at the beginning of what a read has brought.
 *
 * This is all that capturing does for each event; everything else is done
 * once for a whole read.  bench/instr counts it.
 */
#include <stdbool.h>

#include "base/hint.h"
#include "capture/span.h"
#include "trace/record.h"

/* longer than anything there is, and still harmless to add to a length */
#define NO_RECORD (SIZE_MAX / 2)

/* Its fields are looked up once, and only if there is such a record. */
static inline const struct layout *layout_8(const struct layout **l)
{
	if (UNLIKELY(!*l))
		*l = record_layout(BLK_VERSION_8, 0);
	return *l;
}

/*
 * Header and payload of the record at p, where there are BLK_HEADER_MAX; *l is
 * version 8's layout once it is known.
 */
static inline size_t record_len(const struct layout **l, const uint8_t *p)
{
	uint32_t magic = get32(p);

	if (LIKELY(magic == (BLK_MAGIC | BLK_VERSION_7)))
		return BLK_HEADER_7 + (size_t)get16(FIELD(p, pdu_len));
	if (magic == (BLK_MAGIC | BLK_VERSION_8))
		return BLK_HEADER_8 + (size_t)get16(p + layout_8(l)->pdu_len);
	return NO_RECORD;
}

/*
 * As long as any header has room, no record has to ask whether its own has:
 * that is up to `last`.
 */
static struct span walk(const struct layout **l, const uint8_t *p, size_t len)
{
	size_t last = len - BLK_HEADER_MAX;
	struct span s = { 0, 0, 0 };

	if (len < BLK_HEADER_MAX)
		return s;
	while (s.len <= last) {
		size_t next = s.len + record_len(l, p + s.len);

		if (UNLIKELY(next > len))
			break;
		s.len = next;
		s.events++;
	}
	return s;
}

/* In less there is room for one short record, and zeros make up the rest. */
static void walk_end(const struct layout **l, struct span *s, const uint8_t *p,
		     size_t left)
{
	uint8_t last[BLK_HEADER_MAX] = { 0 };

	memcpy(last, p, left);
	if (record_len(l, last) > left)
		return;
	s->len += record_len(l, last);
	s->events++;
}

static bool is_magic(const uint8_t *p)
{
	uint32_t magic = get32(p);

	return magic == (BLK_MAGIC | BLK_VERSION_7) ||
	       magic == (BLK_MAGIC | BLK_VERSION_8);
}

size_t span_search(const void *bytes, size_t len)
{
	const uint8_t *p = bytes;
	size_t at = 1;

	while (at + sizeof(uint32_t) <= len && !is_magic(p + at))
		at++;
	return at;
}

struct span span_of(const void *bytes, size_t len)
{
	const struct layout *l = NULL;
	const uint8_t *p = bytes;
	struct span s = walk(&l, p, len);

	if (len - s.len < BLK_HEADER_MAX)
		walk_end(&l, &s, p + s.len, len - s.len);
	s.bad = len - s.len >= sizeof(uint32_t) && !is_magic(p + s.len);
	return s;
}
