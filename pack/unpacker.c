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

enum { BIG_HOST = BYTE_ORDER == BIG_ENDIAN };

struct kind {
	uint8_t head[BLK_HEADER_MAX];
	uint8_t size;		/* of the head */
	bool swap;		/* in the other byte order */
	uint8_t lane;
	uint16_t payload;	/* bytes */
};

/* bytes that are taken one after the other */
struct column {
	const uint8_t *at, *end;
};

struct unpacker {
	struct frame_unpacker *frame;
	uint8_t *columns, *notes;	/* unpacked, with NUMBER_BESIDE bytes
					 * after them */
	size_t columns_size, notes_size;
	struct kind *kinds;
	size_t kinds_size;

	/* of the block: */
	uint32_t records, done;
	uint32_t kind_count;
	bool narrow;		/* numbers of kinds are bytes */
	bool as_is;
	struct column bytes;	/* as_is */
	const uint8_t *ids;
	const uint8_t *times, *steps, *places;	/* of the next event */
	struct column news, odd, payloads, note_rows, note_bytes;
	struct bits_in time_bits, new_bits;
	uint64_t time_end, new_end;	/* of the bits */
	uint64_t time, sector, recent[PACK_RECENT], new_count;
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

/* At least need bytes at *p; what it had is lost.  false: no memory */
static bool reserve(void *p, size_t *size, size_t need)
{
	void **at = p;

	if (need <= *size)
		return true;
	free(*at);
	*at = malloc(need);
	*size = *at ? need : 0;
	return *at != NULL;
}

static int unpack_frame(struct unpacker *u, uint8_t **to, size_t *size,
			size_t len, const uint8_t *frame, size_t frame_len)
{
	if (!reserve(to, size, len + NUMBER_BESIDE))
		return -ENOMEM;
	memset(*to + len, 0, NUMBER_BESIDE);
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
	memset(k->head, 0, sizeof(k->head));
	memcpy(k->head, head, KIND_FROM);
	memcpy(k->head + KIND_TO, head + KIND_FROM, size - KIND_TO);
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
			 const uint8_t *counts, struct column *c)
{
	size_t id = u->narrow ? 1 : 2;
	bool fine;

	u->ids = take(c, u->records * id);
	u->times = take(c, h->events);
	u->steps = take(c, h->events);
	u->places = take(c, h->events);
	fine = u->ids && u->times && u->steps && u->places;
	return fine && part(&u->news, c, get_le32(counts + COUNT_NEW)) &&
	       part(&u->odd, c, 4 * (size_t)get_le32(counts + COUNT_ODD)) &&
	       part(&u->payloads, c, get_le32(counts + COUNT_PAYLOAD)) &&
	       bits_part(&u->time_bits, &u->time_end, c,
			 get_le32(counts + COUNT_TIME_BITS)) &&
	       bits_part(&u->new_bits, &u->new_end, c,
			 get_le32(counts + COUNT_NEW_BITS)) &&
	       c->at == c->end;
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
	u->time = u->sector = u->new_count = 0;
	memset(u->recent, 0, sizeof(u->recent));
	memset(u->next, 0, sizeof(u->next));
	return find_columns(u, h, counts, &c) ? 0 : -EBADMSG;
}

int unpacker_begin(struct unpacker *u, const struct pack_header *h,
		   const uint8_t *body)
{
	int err = unpacker_notes(u, h, body);

	u->done = u->records = 0;
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

static inline uint32_t next_id(struct unpacker *u)
{
	uint32_t i = u->done++;

	return u->narrow ? u->ids[i] : get_le16(u->ids + 2 * (size_t)i);
}

static inline uint64_t next_time(struct unpacker *u)
{
	u->time += number_take(&u->time_bits, *u->times++);
	return u->time;
}

/* false: there are fewer odd ones */
static inline bool next_sequence(struct unpacker *u, uint32_t *next,
				 uint32_t *sequence)
{
	uint32_t step = *u->steps++;
	const uint8_t *odd;

	*sequence = *next + step;
	if (UNLIKELY(step == STEP_ODD)) {
		odd = take(&u->odd, 4);
		if (!odd)
			return false;
		*sequence = get_le32(odd);
	}
	*next = *sequence + 1;
	return true;
}

/* false: there are fewer new ones */
static inline bool next_sector(struct unpacker *u, uint64_t *sector)
{
	unsigned int place = *u->places++;
	const uint8_t *symbol;

	if (LIKELY(place < PLACE_NEW)) {
		*sector = u->recent[(u->new_count - 1 - place) % PACK_RECENT];
		return true;
	}
	symbol = take(&u->news, 1);
	if (!symbol)
		return false;
	u->sector += number_unfold(number_take(&u->new_bits, *symbol));
	u->recent[u->new_count++ % PACK_RECENT] = u->sector;
	*sector = u->sector;
	return true;
}

static inline uint64_t order64(uint64_t v, bool swap)
{
	return swap ? __builtin_bswap64(v) : v;
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
static INLINED bool make_event(struct unpacker *u, const struct kind *k,
			       size_t size, bool swap, uint8_t *out)
{
	uint64_t time = next_time(u), sector = 0;
	uint32_t sequence = 0;
	bool fine = next_sequence(u, &u->next[k->lane], &sequence) &&
		    next_sector(u, &sector) &&
		    u->time_bits.at <= u->time_end &&
		    u->new_bits.at <= u->new_end;

	memcpy(out, k->head, size);
	set32(out + offsetof(struct event, sequence),
	      swap ? __builtin_bswap32(sequence) : sequence);
	set64(out + offsetof(struct event, time), order64(time, swap));
	set64(out + offsetof(struct event, sector), order64(sector, swap));
	if (k->payload) {
		const uint8_t *payload = take(&u->payloads, k->payload);

		fine = fine && payload;
		if (fine)
			memcpy(out + size, payload, k->payload);
	}
	return fine;
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

/*
 * Records to out, as many as fit: their bytes, or -EBADMSG.
 */
static ssize_t make_records(struct unpacker *u, uint8_t *out, size_t len)
{
	uint8_t *at = out, *end = out + len;

	while (u->done < u->records) {
		uint32_t id = next_id(u);
		const struct kind *k = u->kinds + id - 1;
		size_t room = (size_t)(end - at);
		bool fine;

		if (UNLIKELY(!id)) {
			ssize_t n = make_note(u, at, room);

			if (n < 0)
				return n;
			at += n;
			if (n)
				continue;
			u->done--;
			break;
		}
		if (UNLIKELY(id > u->kind_count))
			return -EBADMSG;
		if (UNLIKELY(room < (size_t)k->size + k->payload)) {
			u->done--;
			break;
		}
		if (LIKELY(k->size == BLK_HEADER_7 && !k->swap))
			fine = make_event(u, k, BLK_HEADER_7, false, at);
		else
			fine = make_event(u, k, k->size, k->swap, at);
		if (UNLIKELY(!fine))
			return -EBADMSG;
		at += (size_t)k->size + k->payload;
	}
	return at - out;
}

static size_t take_some(struct column *c, uint8_t *buf, size_t len)
{
	size_t left = (size_t)(c->end - c->at);

	len = len < left ? len : left;
	if (len)
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
