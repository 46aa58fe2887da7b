/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Unpacking; see unpacker.h.
 *
 * Records are made where the caller wants them, so that no block is ever whole
 * in memory.
 */
#include <endian.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/hint.h"
#include "base/little.h"
#include "blktrace.h"
#include "pack/columns.h"
#include "pack/format.h"
#include "pack/frame.h"
#include "pack/number.h"
#include "pack/unpacker.h"
#include "record/record.h"

enum {
	BIG_HOST = BYTE_ORDER == BIG_ENDIAN,
	BESIDE = 64,		/* zeros after a frame, which may be read */
};

/* one cache line, as there may be many */
struct kind {
	uint8_t rest[BLK_HEADER_MAX - KIND_TO];	/* the head from KIND_TO on */
	uint8_t magic[KIND_FROM];
	uint16_t payload;	/* bytes */
	uint8_t size;		/* of the head */
	bool swap;		/* in the other byte order */
	uint8_t lane;
	uint32_t fast;		/* bytes of a record that the fast path makes;
				 * UINT32_MAX: not this one */
} __attribute__((aligned(64)));

/* bytes that are taken one after the other */
struct column {
	const uint8_t *at, *end;
};

/* what every event changes: apart, so that it can be in registers */
struct cursor {
	uint32_t done;		/* records */
	const uint8_t *times, *steps, *places;	/* of the next event */
	struct column news, sizes, odd, payloads;
	struct bits_in time_bits, new_bits;
	uint64_t time, sector;	/* the last; the last new one */
	uint32_t new_count;
};

struct recent {
	uint64_t sector;
	uint32_t bytes;
};

struct unpacker {
	struct frame_unpacker *frame;
	uint8_t *columns, *notes;	/* unpacked, and BESIDE */
	size_t columns_size, notes_size;
	struct kind *kinds;
	size_t kinds_size;

	/* of the block: */
	uint32_t records;
	struct cursor c;
	uint32_t kind_count;
	bool narrow;		/* numbers of kinds are bytes */
	bool as_is;
	struct column bytes;	/* as_is */
	const uint8_t *ids;
	struct column note_rows, note_bytes;
	uint64_t time_end, new_end;	/* of the bits */
	struct recent recent[PACK_RECENT];
	uint32_t next[PACK_LANES];	/* sequence numbers */

	/* a record that did not fit the caller's room, handed out in pieces */
	uint8_t spill[BLK_HEADER_MAX + BLK_PAYLOAD_MAX];
	struct column rest;
};

struct unpacker *unpacker_new(void)
{
	struct unpacker *u = calloc(1, sizeof(*u));

	if (!u)
		return NULL;
	u->frame = frame_unpacker_new();
	if (u->frame)
		return u;
	free(u);
	return NULL;
}

void unpacker_free(struct unpacker *u)
{
	if (!u)
		return;
	frame_unpacker_free(u->frame);
	free(u->columns);
	free(u->notes);
	free(u->kinds);
	free(u);
}

/* --- frames --------------------------------------------------------------- */

/* At least need bytes at *p, aligned as kinds are; what it had is lost.  false: no
 * memory */
static bool reserve(void *p, size_t *size, size_t need)
{
	void **at = p;

	if (need <= *size)
		return true;
	free(*at);
	need = (need + 63) / 64 * 64;
	*at = aligned_alloc(64, need);
	*size = *at ? need : 0;
	return *at != NULL;
}

static int unpack_frame(struct unpacker *u, uint8_t **to, size_t *size,
			size_t len, const uint8_t *frame, size_t frame_len)
{
	if (!reserve(to, size, len + BESIDE))
		return -ENOMEM;
	memset(*to + len, 0, BESIDE);
	return frame_unpack(u->frame, *to, len, frame, frame_len);
}

int unpacker_notes(struct unpacker *u, const struct pack_header *h,
		   const uint8_t *frame)
{
	size_t table = (size_t)h->notes * COLUMNS_NOTE;
	int err;

	u->note_rows = u->note_bytes = (struct column){ NULL, NULL };
	if (!h->notes)
		return 0;
	if (h->notes_len < table)
		return -EBADMSG;
	err = unpack_frame(u, &u->notes, &u->notes_size, h->notes_len, frame,
			   h->notes_packed);
	if (err)
		return err;
	u->note_rows = (struct column){ u->notes, u->notes + table };
	u->note_bytes = (struct column){ u->notes + table,
					 u->notes + h->notes_len };
	return 0;
}

/* The next len bytes of a column; NULL: it has fewer. */
static const uint8_t *take(struct column *c, size_t len)
{
	const uint8_t *at = c->at;

	if ((size_t)(c->end - at) < len)
		return NULL;
	c->at += len;
	return at;
}

int unpacker_note(struct unpacker *u, struct unpacked_note *n)
{
	const uint8_t *row;

	if (u->note_rows.at == u->note_rows.end)
		return 0;
	row = take(&u->note_rows, COLUMNS_NOTE);
	n->events = get_le32(row + NOTE_EVENTS);
	n->at = get_le32(row + NOTE_AT);
	n->after = get_le64(row + NOTE_AFTER);
	n->len = get_le16(row + NOTE_LEN);
	n->bytes = take(&u->note_bytes, n->len);
	return n->bytes && n->len <= PACK_NOTE_LEN ? 1 : -EBADMSG;
}

/* --- the columns ---------------------------------------------------------- */

/* One kind from the table; false: it is impossible. */
static bool read_kind(struct kind *k, struct column *c)
{
	const uint8_t *row = take(c, COLUMNS_KIND), *head;
	size_t size = row ? row[KIND_SIZE] : 0;

	if (size < KIND_TO || size > BLK_HEADER_MAX)
		return false;
	head = take(c, size - KIND_TO + KIND_FROM);
	if (!head)
		return false;
	k->size = (uint8_t)size;
	k->swap = (row[KIND_BIG] != 0) != BIG_HOST;
	k->lane = row[KIND_LANE];
	k->payload = get_le16(row + KIND_PAYLOAD);
	k->fast = size == BLK_HEADER_7 && !k->swap ?
			  (uint32_t)BLK_HEADER_7 + k->payload : UINT32_MAX;
	memcpy(k->magic, head, KIND_FROM);
	memcpy(k->rest, head + KIND_FROM, sizeof(k->rest));	/* or more */
	return true;
}

static int read_kinds(struct unpacker *u, struct column *c)
{
	if (u->kind_count > PACK_KINDS)
		return -EBADMSG;
	if (!reserve(&u->kinds, &u->kinds_size,
		     (u->kind_count + 1) * sizeof(*u->kinds)))
		return -ENOMEM;
	for (uint32_t i = 0; i < u->kind_count; i++)
		if (!read_kind(&u->kinds[i], c))
			return -EBADMSG;
	return 0;
}

/* A column of len bytes that c begins with; false: it has fewer. */
static bool part(struct column *to, struct column *c, size_t len)
{
	to->at = take(c, len);
	to->end = to->at ? to->at + len : NULL;
	return to->at != NULL;
}

static bool bits_part(struct bits_in *b, uint64_t *end, struct column *c,
		      size_t len)
{
	struct column bits;

	if (!part(&bits, c, len))
		return false;
	*b = (struct bits_in){ bits.at, 0 };
	*end = (uint64_t)len * 8;
	return true;
}

/* Finds the columns after the kinds. */
static bool find_columns(struct unpacker *u, const struct pack_header *h,
			 const uint8_t *counts, struct column *from)
{
	size_t id = u->narrow ? 1 : 2;
	struct cursor *c = &u->c;
	bool fine;

	u->ids = take(from, u->records * id);
	c->times = take(from, h->events);
	c->steps = take(from, h->events);
	c->places = take(from, h->events);
	fine = u->ids && c->times && c->steps && c->places;
	return fine && part(&c->news, from, get_le32(counts + COUNT_NEW)) &&
	       part(&c->sizes, from, get_le32(counts + COUNT_SIZES)) &&
	       part(&c->odd, from, 4 * (size_t)get_le32(counts + COUNT_ODD)) &&
	       part(&c->payloads, from, get_le32(counts + COUNT_PAYLOAD)) &&
	       bits_part(&c->time_bits, &u->time_end, from,
			 get_le32(counts + COUNT_TIME_BITS)) &&
	       bits_part(&c->new_bits, &u->new_end, from,
			 get_le32(counts + COUNT_NEW_BITS)) &&
	       from->at == from->end;
}

static int read_columns(struct unpacker *u, const struct pack_header *h)
{
	struct column c = { u->columns, u->columns + h->columns_len };
	const uint8_t *counts = take(&c, COLUMNS_HEAD);
	int err;

	if (!counts)
		return -EBADMSG;
	u->kind_count = get_le32(counts + COUNT_KINDS);
	u->narrow = u->kind_count <= KINDS_NARROW;
	err = read_kinds(u, &c);
	if (err)
		return err;
	memset(u->recent, 0, sizeof(u->recent));
	memset(u->next, 0, sizeof(u->next));
	return find_columns(u, h, counts, &c) ? 0 : -EBADMSG;
}

int unpacker_begin(struct unpacker *u, const struct pack_header *h,
		   const uint8_t *body)
{
	int err = unpacker_notes(u, h, body);

	u->c = (struct cursor){ .done = 0 };
	u->records = 0;
	u->rest = u->bytes = (struct column){ NULL, NULL };
	if (!err)
		err = unpack_frame(u, &u->columns, &u->columns_size,
				   h->columns_len, body + h->notes_packed,
				   h->columns_packed);
	u->as_is = h->kind != PACK_RECORDS;
	if (!err && u->as_is)
		u->bytes = (struct column){ u->columns,
					    u->columns + h->columns_len };
	else if (!err)
		u->records = h->events + h->notes;
	return err || u->as_is ? err : read_columns(u, h);
}

/* --- records -------------------------------------------------------------- */

static INLINED uint32_t next_id(const struct unpacker *u, struct cursor *c,
				bool narrow)
{
	uint32_t i = c->done++;

	return narrow ? u->ids[i] : get_le16(u->ids + 2 * (size_t)i);
}

/* false: there are fewer odd ones */
static INLINED bool next_sequence(struct cursor *c, uint32_t *next,
				  uint32_t *sequence)
{
	uint32_t step = *c->steps++;
	const uint8_t *odd;

	*sequence = *next + step;
	if (UNLIKELY(step == STEP_ODD)) {
		odd = take(&c->odd, 4);
		if (!odd)
			return false;
		*sequence = get_le32(odd);
	}
	*next = *sequence + 1;
	return true;
}

/* false: there are fewer new ones */
static INLINED bool next_size(struct unpacker *u, struct cursor *c,
			      struct recent *r)
{
	const uint8_t *symbol = take(&c->sizes, 1);
	uint32_t rotated;

	if (!symbol)
		return false;
	rotated = (uint32_t)number_take(&c->new_bits, *symbol);
	r->bytes = rotated << SIZE_ROTATED | rotated >> (32 - SIZE_ROTATED);
	return c->new_bits.at <= u->new_end;
}

/* The next sector and its size; NULL: there are fewer new ones. */
static INLINED const struct recent *next_sector(struct unpacker *u,
						struct cursor *c)
{
	unsigned int place = *c->places++;
	struct recent *r = &u->recent[(c->new_count - 1 - place) % PACK_RECENT];
	const uint8_t *symbol;

	if (LIKELY(place < PLACE_NEW))
		return r;
	if (place & PLACE_RESIZED)
		return next_size(u, c, r) ? r : NULL;
	symbol = take(&c->news, 1);
	if (!symbol)
		return NULL;
	c->sector += number_unfold(number_take(&c->new_bits, *symbol));
	r = &u->recent[c->new_count++ % PACK_RECENT];
	r->sector = c->sector;
	return next_size(u, c, r) ? r : NULL;
}

static inline uint64_t order64(uint64_t v, bool swap)
{
	return swap ? __builtin_bswap64(v) : v;
}

static inline uint32_t order32(uint32_t v, bool swap)
{
	return swap ? __builtin_bswap32(v) : v;
}

static inline void set64(uint8_t *p, uint64_t v)
{
	memcpy(p, &v, sizeof(v));
}

static inline void set32(uint8_t *p, uint32_t v)
{
	memcpy(p, &v, sizeof(v));
}

/* Makes an event of kind k at out; false: the columns contradict it. */
static INLINED bool make_event(struct unpacker *u, struct cursor *c,
			       const struct kind *k, size_t size, bool swap,
			       uint8_t *out)
{
	const uint8_t *payload;
	const struct recent *r;
	uint32_t sequence;

	c->time += number_take(&c->time_bits, *c->times++);
	if (UNLIKELY(!next_sequence(c, &u->next[k->lane], &sequence) ||
		     c->time_bits.at > u->time_end))
		return false;
	r = next_sector(u, c);
	if (UNLIKELY(!r))
		return false;
	memcpy(out, k->magic, KIND_FROM);
	set32(out + offsetof(struct event, sequence), order32(sequence, swap));
	set64(out + offsetof(struct event, time), order64(c->time, swap));
	set64(out + offsetof(struct event, sector), order64(r->sector, swap));
	set32(out + offsetof(struct event, bytes), order32(r->bytes, swap));
	memcpy(out + KIND_TO, k->rest, size - KIND_TO);
	if (LIKELY(!k->payload))
		return true;
	payload = take(&c->payloads, k->payload);
	if (payload)
		memcpy(out + size, payload, k->payload);
	return payload;
}

/* The next note to out, which has room bytes: its bytes; 0: no room; -EBADMSG */
static COLD ssize_t make_note(struct unpacker *u, uint8_t *out, size_t room)
{
	const struct column rows = u->note_rows, bytes = u->note_bytes;
	struct unpacked_note n;
	int got = unpacker_note(u, &n);

	if (got != 1)
		return -EBADMSG;
	if (n.len > room) {
		u->note_rows = rows;
		u->note_bytes = bytes;
		return 0;
	}
	memcpy(out, n.bytes, n.len);
	return (ssize_t)n.len;
}

/* One record of any kind; as make_records(). */
static COLD ssize_t make_any(struct unpacker *u, uint8_t *out, size_t room)
{
	const struct cursor before = u->c;
	uint32_t id = next_id(u, &u->c, u->narrow);
	const struct kind *k = u->kinds + id - 1;
	ssize_t n = -EBADMSG;

	if (!id)
		n = make_note(u, out, room);
	else if (id <= u->kind_count && room < (size_t)k->size + k->payload)
		n = 0;
	else if (id <= u->kind_count &&
		 make_event(u, &u->c, k, k->size, k->swap, out))
		n = (ssize_t)k->size + k->payload;
	if (!n)
		u->c = before;
	return n;
}

/*
 * The fast path: events of version 7 in this machine's order.  Stops at any other
 * record, and where the next one does not fit.  The bytes made, or -EBADMSG.
 */
static INLINED ssize_t run(struct unpacker *u, uint8_t *out, size_t len,
			   bool narrow)
{
	struct cursor c = u->c;
	uint8_t *at = out, *end = out + len;
	const struct kind *kinds = u->kinds;
	const uint32_t records = u->records, count = u->kind_count;

	while (LIKELY(c.done < records)) {
		uint32_t id = next_id(u, &c, narrow) - 1;
		const struct kind *k = kinds + id;

		if (UNLIKELY(id >= count || (size_t)(end - at) < k->fast)) {
			c.done--;
			break;
		}
		if (UNLIKELY(!make_event(u, &c, k, BLK_HEADER_7, false, at)))
			return -EBADMSG;
		at += k->fast;
	}
	u->c = c;
	return at - out;
}

/* Records to out, as many as fit: their bytes, or -EBADMSG. */
static ssize_t make_records(struct unpacker *u, uint8_t *out, size_t len)
{
	size_t have = 0;

	while (u->c.done < u->records) {
		ssize_t n = u->narrow ? run(u, out + have, len - have, true) :
					run(u, out + have, len - have, false);

		if (n == 0)
			n = make_any(u, out + have, len - have);
		if (n < 0)
			return n;
		if (n == 0)
			break;
		have += (size_t)n;
	}
	return (ssize_t)have;
}

static size_t take_some(struct column *c, uint8_t *buf, size_t len)
{
	size_t left = (size_t)(c->end - c->at);

	len = len < left ? len : left;
	if (!len)
		return 0;
	memcpy(buf, c->at, len);
	c->at += len;
	return len;
}

ssize_t unpacker_read(struct unpacker *u, uint8_t *buf, size_t len)
{
	ssize_t n;

	if (u->as_is)
		return (ssize_t)take_some(&u->bytes, buf, len);
	if (u->rest.at == u->rest.end) {
		n = make_records(u, buf, len);
		if (n)
			return n;
		n = make_records(u, u->spill, sizeof(u->spill));
		if (n <= 0)
			return n;
		u->rest = (struct column){ u->spill, u->spill + n };
	}
	return (ssize_t)take_some(&u->rest, buf, len);
}

int unpacker_pass(struct unpacker *u, uint64_t n)
{
	uint8_t drop[4096];

	while (n) {
		ssize_t got = unpacker_read(u, drop, n < sizeof(drop) ?
						     (size_t)n : sizeof(drop));

		if (got <= 0)
			return (int)got;
		n -= (uint64_t)got;
	}
	return 0;
}
