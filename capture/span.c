/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whole records at the start of a read; see span.h.
 *
 * Capturing does nothing else for each event; all other work is done once for a
 * read.  bench/instr counts it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "act_mask.h"
#include "base/hint.h"
#include "blktrace.h"
#include "capture/span.h"
#include "record/record.h"

/* --- record version ------------------------------------------------------- */

/* Appends the names of the categories that only version 8 has. */
static void add_names(char text[RECORD_VERSION_NOTE], uint32_t mask)
{
	const char *before = "";

	for (unsigned int nr = 0; act_mask_name(nr); nr++) {
		size_t len = strlen(text);

		if (!(mask & ~VERSION_7_MASK & BLK_TC_BIT(nr)))
			continue;
		snprintf(text + len, RECORD_VERSION_NOTE - len, "%s%s", before,
			 act_mask_name(nr));
		before = ", ";
	}
}

static void note_8(char text[RECORD_VERSION_NOTE], uint32_t mask)
{
	strcpy(text, "version 8 records, as version 7 has no ");
	if (mask & ~VERSION_7_MASK)
		add_names(text, mask);
	else
		strcat(text, "categories of zones");
	strcat(text, "; --record-version decides");
}

static void note_7(char text[RECORD_VERSION_NOTE], uint32_t mask)
{
	strcpy(text, "version 7 records only");
	if (!(mask & ~VERSION_7_MASK))
		return;
	strcat(text, ", which have no ");
	add_names(text, mask);
}

bool record_version_note(char text[RECORD_VERSION_NOTE], uint32_t mask,
			 unsigned int wished, unsigned int got)
{
	bool wants_8 = wished == BLK_VERSION_8 ||
		       (!wished && (mask & ~VERSION_7_MASK)) ||
		       version_7_has_none(mask);

	*text = '\0';
	if (got == BLK_VERSION_8 && !wished)
		note_8(text, mask);
	else if (got == BLK_VERSION_7 && wants_8)
		note_7(text, mask);
	return *text;
}

/* --- span ----------------------------------------------------------------- */

/* Adds a record of version 7. */
static inline void add_7(struct tap_sums *s, const uint8_t *p)
{
	tap_sums_add(s, get32(FIELD(p, action)), get32(FIELD(p, bytes)));
}

/* Takes back a cut record. */
static void take_back(struct tap_sums *s, const uint8_t *p)
{
	struct tap_sums one = { 0 };

	add_7(&one, p);
	s->records--;
	s->completions -= one.completions;
	s->completed -= one.completed;
}

/* Passes over records of version 7; up to `last`, any header fits. */
static void walk_7(struct span *s, const uint8_t *p, size_t len)
{
	size_t at = s->len, before = at, last = len - BLK_HEADER_MAX;
	struct tap_sums sums = s->sums;

	while (at <= last && get32(p + at) == (BLK_MAGIC | BLK_VERSION_7)) {
		before = at;
		add_7(&sums, p + at);
		at += BLK_HEADER_7 + (size_t)get16(FIELD(p + at, pdu_len));
	}
	if (at > len)
		take_back(&sums, p + before);
	s->len = at > len ? before : at;
	s->sums = sums;
}

/* The same for version 8, whose records are larger. */
static void walk_8(struct span *s, const uint8_t *p, size_t len)
{
	const struct layout *l = record_layout(BLK_VERSION_8, 0);
	size_t at = s->len;

	while (len - at >= BLK_HEADER_MAX &&
	       get32(p + at) == (BLK_MAGIC | BLK_VERSION_8)) {
		struct event ev;

		record_decode(l, false, p + at, &ev);
		at += BLK_HEADER_8 + (size_t)ev.pdu_len;
		if (at > len)
			return;
		tap_sums_add(&s->sums, ev.action, ev.bytes);
		s->len = at;
	}
}

static void walk(struct span *s, const uint8_t *p, size_t len)
{
	size_t before;

	do {
		before = s->len;
		walk_7(s, p, len);
		walk_8(s, p, len);
	} while (s->len > before);
}

/* Less than the largest header may still hold one short record. */
static void walk_end(struct span *s, const uint8_t *p, size_t left)
{
	size_t size;

	if (left < BLK_HEADER_7 || get32(p) != (BLK_MAGIC | BLK_VERSION_7))
		return;
	size = BLK_HEADER_7 + (size_t)get16(FIELD(p, pdu_len));
	if (size > left)
		return;
	add_7(&s->sums, p);
	s->len += size;
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
	const uint8_t *p = bytes;
	struct span s = { .len = 0 };

	if (len >= BLK_HEADER_MAX)
		walk(&s, p, len);
	if (len - s.len < BLK_HEADER_MAX)
		walk_end(&s, p + s.len, len - s.len);
	s.bad = len - s.len >= sizeof(uint32_t) && !is_magic(p + s.len);
	return s;
}

/* --- passage -------------------------------------------------------------- */

/* offsets of fields that version 7 has elsewhere */
enum { ACTION_8 = 32, PDU_LEN_8 = 50 };

/* bytes of a record, and its action */
static inline size_t record_look(const uint8_t *raw, uint32_t *action)
{
	if (UNLIKELY(get32(raw) == (BLK_MAGIC | BLK_VERSION_8))) {
		*action = get32(raw + ACTION_8);
		return BLK_HEADER_8 + (size_t)get16(raw + PDU_LEN_8);
	}
	*action = get32(FIELD(raw, action));
	return BLK_HEADER_7 + (size_t)get16(FIELD(raw, pdu_len));
}

size_t span_record_len(const uint8_t *raw)
{
	uint32_t action;

	return record_look(raw, &action);
}

bool span_is_seal(const uint8_t *raw)
{
	uint32_t action;

	record_look(raw, &action);
	return action & BLK_TC_ACT(BLK_TC_NOTIFY) &&
	       (action & BLK_ACTION_MASK & ~BLK_CGROUP_FLAG) == BLK_TN_SEAL;
}

struct passage passage_of(const void *records, size_t len, uint64_t border,
			  passage_take *take, void *ctx)
{
	const uint8_t *raw = records, *end = raw + len;
	uint64_t newest = 0;
	int err = 0;

	while (raw < end && !err) {
		uint64_t time = get64(FIELD(raw, time));
		uint32_t action;
		size_t size = record_look(raw, &action);

		if (UNLIKELY(action & BLK_TC_ACT(BLK_TC_NOTIFY)))
			err = take ? take(ctx, raw) : 0;
		else if (UNLIKELY(time >= border))
			break;
		else if (time > newest)
			newest = time;
		raw += size;
	}
	return (struct passage){ (size_t)(raw - (const uint8_t *)records),
				 newest, err };
}
