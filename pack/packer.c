/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Packing; see packer.h.
 *
 * A record is its kind (all of its head but sequence number, time, sector and
 * size), what those four differ by from the records before, and its payload.  Each
 * goes to a column when the record is added, so that a full block only has to
 * be compressed.
 */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/hint.h"
#include "base/little.h"
#include "blktrace.h"
#include "pack/columns.h"
#include "pack/format.h"
#include "pack/frame.h"
#include "pack/number.h"
#include "pack/packer.h"
#include "record/record.h"

enum {
	KIND_SLOTS = 4 * PACK_KINDS,	/* powers of two */
	SECTOR_SLOTS = 256,
	RECORDS = PACK_EVENTS + PACK_NOTES,
	PAYLOADS = 128 * 1024,	/* bytes after which a block is full */
	ODD = 8192,		/* and odd sequence numbers */
	NOTE_BYTES = 64 * 1024,
	TIME_BITS = PACK_EVENTS * 8,	/* bytes, for the longest numbers */
	NEW_BITS = PACK_EVENTS * 12,
	IN_ROW = 8,		/* records that end bytes without any */
	BATCH = 512,		/* events that a reader reads ahead */
	PARTS = 12,
	BIG_HOST = BYTE_ORDER == BIG_ENDIAN,
};

#define SECTOR_MIX UINT64_C(0x9e3779b97f4a7c15)

struct kind {
	uint8_t head[BLK_HEADER_MAX];
	uint8_t size;		/* of the head */
	bool big;		/* its byte order */
	uint8_t lane;
	uint16_t payload;	/* bytes */
};

struct lane {
	uint32_t device, cpu;
	uint32_t next;		/* the sequence number expected */
};

struct seen {
	uint64_t sector;
	uint64_t serial;	/* among all new ones, from 1 */
	uint32_t bytes;		/* its last size */
};

/* a record among the bytes */
struct found {
	const uint8_t *raw;
	const struct layout *layout;
	bool big;
	size_t total;		/* bytes */
	struct event ev;
};

struct packer {
	struct packer_options o;
	struct frame_packer *frame;
	struct pack_header h;	/* of the block being gathered */
	uint64_t taken;		/* bytes so far */
	uint64_t number;	/* events so far */
	/* times: of all events up to this block or batch; up to this batch */
	uint64_t latest, after;
	bool known;		/* a block was put */
	bool full;
	const struct layout *settled[BLK_VERSION_8 + 1];	/* by version */
	uint64_t seed;

	/* of the block: */
	uint32_t records, odd_count, new_count, size_count;
	uint32_t kind_count, lane_count;
	uint64_t time, sector;	/* the last; the last new one */
	uint64_t serial, serial_before;	/* new sectors; of earlier blocks */
	struct bits_out time_bits, new_bits;
	size_t payload_len, note_len;
	struct kind kinds[PACK_KINDS];
	uint16_t slots[KIND_SLOTS];	/* a kind's number from 1; 0: free */
	struct lane lanes[PACK_LANES];
	struct seen seen[SECTOR_SLOTS];

	/* the columns */
	uint8_t counts[COLUMNS_HEAD];
	uint8_t table[PACK_KINDS * (COLUMNS_KIND + BLK_HEADER_MAX)];
	uint16_t ids[RECORDS];
	uint8_t times[PACK_EVENTS], steps[PACK_EVENTS], places[PACK_EVENTS];
	uint8_t news[PACK_EVENTS], sizes[PACK_EVENTS];
	uint32_t odd[ODD];
	uint8_t payloads[PAYLOADS + BLK_PAYLOAD_MAX];
	uint8_t time_room[TIME_BITS + NUMBER_BESIDE];
	uint8_t new_room[NEW_BITS + NUMBER_BESIDE];
	uint8_t note_table[PACK_NOTES * COLUMNS_NOTE];
	uint8_t notes[NOTE_BYTES + PACK_NOTE_LEN];

	uint8_t *block;
	size_t room;		/* bytes of block */
};

/* --- the start and the end ------------------------------------------------ */

static void note_latest(struct packer *p)
{
	p->latest = p->h.most > p->latest ? p->h.most : p->latest;
}

static void begin(struct packer *p)
{
	struct pack_header *h = &p->h;

	note_latest(p);
	h->kind = PACK_RECORDS;
	h->flags = PACK_PLAIN;
	h->stream = p->o.stream;
	h->cpu = PACK_ALL_CPUS;
	h->at = p->taken;
	h->number = p->number;
	h->least = UINT64_MAX;
	h->most = 0;
	h->sequence = h->len = h->events = h->notes = 0;
	h->notes_len = h->notes_packed = 0;
	h->columns_len = h->columns_packed = 0;
	p->full = false;
	p->records = p->odd_count = p->new_count = p->size_count = 0;
	p->kind_count = p->lane_count = 0;
	p->time = p->sector = 0;
	p->serial_before = p->serial;
	p->time_bits = (struct bits_out){ .at = p->time_room };
	p->new_bits = (struct bits_out){ .at = p->new_room };
	p->payload_len = p->note_len = 0;
	memset(p->slots, 0, sizeof(p->slots));
}

void packer_turn(struct packer *p, const struct packer_options *o,
		 const struct packer_past *past)
{
	size_t len = strnlen(o->name, PACK_NAME_MAX);

	p->o = *o;
	p->h.name_len = (uint16_t)len;
	memcpy(p->h.name, o->name, len);
	p->taken = past->taken;
	p->number = past->number;
	p->latest = past->latest;
	p->after = past->after;
	p->known = past->known;
	memset(p->settled, 0, sizeof(p->settled));
	p->h.most = 0;
	begin(p);
}

struct packer_past packer_past(const struct packer *p)
{
	return (struct packer_past){ p->taken, p->number, p->latest, p->after,
				     p->known };
}

struct packer *packer_new(const struct packer_options *o)
{
	static const struct packer_past none;
	struct packer *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->seed = hash_seed();
	p->frame = frame_packer_new();
	p->room = PACK_HEADER_MAX + frame_bound(PACK_COLUMNS, PARTS) +
		  frame_bound(PACK_BYTES, PARTS);
	p->block = malloc(p->room);
	if (!p->frame || !p->block || strlen(o->name) > PACK_NAME_MAX) {
		packer_free(p);
		return NULL;
	}
	packer_turn(p, o, &none);
	return p;
}

void packer_free(struct packer *p)
{
	if (!p)
		return;
	frame_packer_free(p->frame);
	free(p->block);
	free(p);
}

bool packer_waits(const struct packer *p)
{
	return p->records > 0;
}

uint64_t packer_taken(const struct packer *p)
{
	return p->taken;
}

/* --- a block -------------------------------------------------------------- */

/* a frame being put together, and the bytes that it will have */
struct parts {
	struct iovec list[PARTS];
	size_t count, len;
};

static void add_part(struct parts *f, const void *bytes, size_t len)
{
	f->list[f->count++] = (struct iovec){ (void *)bytes, len };
	f->len += len;
}

/* Appends the frame to the block of at bytes; 0 and the frame's in *packed, or
 * -errno. */
static int pack_parts(struct packer *p, const struct parts *f, size_t at,
		      uint32_t *packed)
{
	ssize_t n = frame_pack(p->frame, f->list, f->count, p->block + at,
			       p->room - at);

	*packed = n < 0 ? 0 : (uint32_t)n;
	return n < 0 ? (int)n : 0;
}

static int pack_notes(struct packer *p, size_t at)
{
	struct parts f = { .count = 0 };
	int err;

	if (!p->h.notes)
		return 0;
	add_part(&f, p->note_table, p->h.notes * COLUMNS_NOTE);
	add_part(&f, p->notes, p->note_len);
	err = pack_parts(p, &f, at, &p->h.notes_packed);
	p->h.notes_len = (uint32_t)f.len;
	return err;
}

static size_t put_kinds(struct packer *p)
{
	uint8_t *to = p->table;

	for (uint32_t i = 0; i < p->kind_count; i++) {
		const struct kind *k = &p->kinds[i];

		to[KIND_SIZE] = k->size;
		to[KIND_BIG] = k->big;
		to[KIND_LANE] = k->lane;
		to[KIND_LANE + 1] = 0;
		put_le16(to + KIND_PAYLOAD, k->payload);
		to += COLUMNS_KIND;
		memcpy(to, k->head, KIND_FROM);
		to += KIND_FROM;
		memcpy(to, k->head + KIND_TO, k->size - (size_t)KIND_TO);
		to += k->size - KIND_TO;
	}
	return (size_t)(to - p->table);
}

/* The column of ids as it is stored, in place; returns its bytes. */
static size_t put_ids(struct packer *p)
{
	uint8_t *to = (uint8_t *)p->ids;
	bool narrow = p->kind_count <= KINDS_NARROW;

	for (uint32_t i = 0; i < p->records; i++) {
		if (narrow)
			to[i] = (uint8_t)p->ids[i];
		else
			put_le16(to + 2 * (size_t)i, p->ids[i]);
	}
	return narrow ? p->records : 2 * (size_t)p->records;
}

static int pack_columns(struct packer *p, size_t at)
{
	size_t events = p->h.events;
	const uint8_t *time_end = bits_end(&p->time_bits);
	const uint8_t *new_end = bits_end(&p->new_bits);
	struct parts f = { .count = 0 };
	int err;

	put_le32(p->counts + COUNT_KINDS, p->kind_count);
	put_le32(p->counts + COUNT_LANES, p->lane_count);
	put_le32(p->counts + COUNT_NEW, p->new_count);
	put_le32(p->counts + COUNT_ODD, p->odd_count);
	put_le32(p->counts + COUNT_PAYLOAD, (uint32_t)p->payload_len);
	put_le32(p->counts + COUNT_TIME_BITS,
		 (uint32_t)(time_end - p->time_room));
	put_le32(p->counts + COUNT_NEW_BITS, (uint32_t)(new_end - p->new_room));
	put_le32(p->counts + COUNT_SIZES, p->size_count);
	add_part(&f, p->counts, sizeof(p->counts));
	add_part(&f, p->table, put_kinds(p));
	add_part(&f, p->ids, put_ids(p));
	add_part(&f, p->times, events);
	add_part(&f, p->steps, events);
	add_part(&f, p->places, events);
	add_part(&f, p->news, p->new_count);
	add_part(&f, p->sizes, p->size_count);
	add_part(&f, p->odd, p->odd_count * sizeof(*p->odd));
	add_part(&f, p->payloads, p->payload_len);
	add_part(&f, p->time_room, (size_t)(time_end - p->time_room));
	add_part(&f, p->new_room, (size_t)(new_end - p->new_room));
	err = pack_parts(p, &f, at, &p->h.columns_packed);
	p->h.columns_len = (uint32_t)f.len;
	return err;
}

/* Writes the header and hands the block out. */
static int put(struct packer *p)
{
	int err;

	if (p->o.aside)
		p->h.flags |= PACK_ASIDE;
	pack_header_put(&p->h, p->block);
	p->known = true;
	err = p->o.put(p->o.ctx, &p->h, p->block, pack_block_size(&p->h));
	begin(p);
	return err;
}

int packer_flush(struct packer *p)
{
	size_t at = PACK_FIXED + (size_t)p->h.name_len;
	int err;

	if (!p->records)
		return 0;
	err = pack_notes(p, at);
	if (!err)
		err = pack_columns(p, at + p->h.notes_packed);
	return err ? err : put(p);
}

/* Puts len bytes, at most PACK_BYTES, as they are. */
static int put_bytes(struct packer *p, const uint8_t *bytes, size_t len)
{
	struct parts f = { .count = 0 };
	int err = packer_flush(p);

	if (err)
		return err;
	add_part(&f, bytes, len);
	p->h.kind = PACK_AS_IS;
	p->h.flags = 0;
	p->h.len = p->h.columns_len = (uint32_t)len;
	err = pack_parts(p, &f, PACK_FIXED + (size_t)p->h.name_len,
			 &p->h.columns_packed);
	p->taken += len;
	return err ? err : put(p);
}

int packer_end(struct packer *p)
{
	int err = packer_flush(p);

	return err || p->known ? err : put_bytes(p, NULL, 0);
}

/* --- kinds ---------------------------------------------------------------- */

static inline uint64_t word_at(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* From KIND_TO on a head has 4 bytes, whole words, and maybe 4 bytes again. */

static INLINED size_t slot_of(const struct packer *p, const uint8_t *raw,
			      size_t size)
{
	uint64_t key = p->seed ^ get32(raw) ^ (uint64_t)get32(raw + KIND_TO)
					      << 32;

	for (size_t i = KIND_TO + 4; i + 8 <= size; i += 8)
		key = (key << 29 | key >> 35) ^ word_at(raw + i);
	if (size % 8)
		key ^= (uint64_t)get32(raw + size - 4) << 16;
	return hash_mix(p->seed, key) % KIND_SLOTS;
}

static INLINED bool is_kind(const struct kind *k, const uint8_t *raw,
			    size_t size)
{
	uint64_t differs = get32(k->head) ^ get32(raw);

	differs |= get32(k->head + KIND_TO) ^ get32(raw + KIND_TO);
	for (size_t i = KIND_TO + 4; i + 8 <= size; i += 8)
		differs |= word_at(k->head + i) ^ word_at(raw + i);
	if (size % 8)
		differs |= get32(k->head + size - 4) ^ get32(raw + size - 4);
	return !differs && k->size == size;
}

/* The lane's number; PACK_LANES: there are too many. */
static uint32_t lane_of(struct packer *p, const struct event *ev)
{
	uint32_t i = 0;

	while (i < p->lane_count && (p->lanes[i].device != ev->device ||
				     p->lanes[i].cpu != ev->cpu))
		i++;
	if (i == p->lane_count && i < PACK_LANES)
		p->lanes[p->lane_count++] = (struct lane){ ev->device, ev->cpu,
							   0 };
	return i;
}

/* Clears flags and CPU of the header that the record does not have. */
static void note_head(struct packer *p, const struct found *f)
{
	struct pack_header *h = &p->h;
	uint16_t order = f->big ? PACK_BIG_ENDIAN : 0;

	if (!p->records) {
		h->flags = (uint16_t)(h->flags | order);
		h->cpu = f->ev.cpu < INT32_MAX ? (int32_t)f->ev.cpu :
						 PACK_ALL_CPUS;
	}
	if (f->layout->version < BLK_VERSION_7 ||
	    (h->flags & PACK_BIG_ENDIAN) != order)
		h->flags &= (uint16_t)~PACK_PLAIN;
	if ((uint32_t)h->cpu != f->ev.cpu)
		h->cpu = PACK_ALL_CPUS;
}

/* A new kind, to be added at slot; NULL: the block has no room. */
static COLD const struct kind *add_kind(struct packer *p, size_t slot,
					const struct found *f)
{
	struct kind *k = &p->kinds[p->kind_count];
	uint32_t lane;

	if (p->kind_count == PACK_KINDS)
		return NULL;
	lane = lane_of(p, &f->ev);
	if (lane == PACK_LANES)
		return NULL;
	memcpy(k->head, f->raw, f->layout->size);
	k->size = f->layout->size;
	k->big = f->big;
	k->lane = (uint8_t)lane;
	k->payload = f->ev.pdu_len;
	p->slots[slot] = (uint16_t)++p->kind_count;
	note_head(p, f);
	return k;
}

/* --- columns -------------------------------------------------------------- */

static inline uint64_t order64(uint64_t v, bool swap)
{
	return swap ? __builtin_bswap64(v) : v;
}

static inline uint32_t order32(uint32_t v, bool swap)
{
	return swap ? __builtin_bswap32(v) : v;
}

static inline void add_time(struct packer *p, uint64_t time)
{
	struct pack_header *h = &p->h;

	p->times[h->events] = number_put(&p->time_bits, time - p->time);
	p->time = time;
	h->most = time > h->most ? time : h->most;
	h->least = time < h->least ? time : h->least;
}

static inline void add_sequence(struct packer *p, struct lane *lane,
				uint32_t sequence)
{
	uint32_t step = sequence - lane->next;

	if (UNLIKELY(step >= STEP_ODD)) {
		step = STEP_ODD;
		p->odd[p->odd_count++] = htole32(sequence);
		p->full |= p->odd_count == ODD;
	}
	p->steps[p->h.events] = (uint8_t)step;
	lane->next = sequence + 1;
}

static inline void add_size(struct packer *p, uint32_t bytes)
{
	uint32_t rotated = bytes >> SIZE_ROTATED | bytes << (32 - SIZE_ROTATED);

	p->sizes[p->size_count++] = number_put(&p->new_bits, rotated);
}

/* A sector that has lost its slot to another one is new again. */
static inline void add_sector(struct packer *p, uint64_t sector, uint32_t bytes)
{
	struct seen *s = &p->seen[sector * SECTOR_MIX >> 56];
	uint64_t since = p->serial - s->serial;
	uint8_t *place = &p->places[p->h.events];

	if (s->sector == sector && since < PACK_RECENT &&
	    s->serial > p->serial_before) {
		*place = (uint8_t)since;
		if (LIKELY(s->bytes == bytes))
			return;
		*place |= PLACE_RESIZED;
		s->bytes = bytes;
		add_size(p, bytes);
		return;
	}
	*place = PLACE_NEW;
	p->news[p->new_count++] = number_put(&p->new_bits,
					     number_fold(sector - p->sector));
	p->sector = sector;
	*s = (struct seen){ sector, ++p->serial, bytes };
	add_size(p, bytes);
}

static inline void add_payload(struct packer *p, const uint8_t *bytes,
			       size_t len)
{
	memcpy(p->payloads + p->payload_len, bytes, len);
	p->payload_len += len;
	p->full |= p->payload_len >= PAYLOADS;
}

static inline void count_event(struct packer *p)
{
	p->h.events++;
	p->number++;
	if (UNLIKELY(p->number % BATCH == 0)) {
		note_latest(p);
		p->after = p->latest;
		p->full |= p->number % PACK_EVENTS == 0;
	}
}

static INLINED void add_event(struct packer *p, const struct kind *k,
			      const uint8_t *raw, size_t size, bool swap)
{
	uint32_t sequence = order32(get32(FIELD(raw, sequence)), swap);
	size_t total = size + k->payload;

	if (UNLIKELY(!p->h.events))
		p->h.sequence = sequence;
	p->ids[p->records++] = (uint16_t)(k - p->kinds + 1);
	add_time(p, order64(get64(FIELD(raw, time)), swap));
	add_sequence(p, &p->lanes[k->lane], sequence);
	add_sector(p, order64(get64(FIELD(raw, sector)), swap),
		   order32(get32(FIELD(raw, bytes)), swap));
	if (k->payload)
		add_payload(p, raw + size, k->payload);
	p->h.len += (uint32_t)total;
	p->taken += total;
	count_event(p);
}

/* --- records of any version ----------------------------------------------- */

static size_t total_at(const struct layout *l, bool swapped,
		       const uint8_t *raw, size_t avail, struct event *ev)
{
	if (avail < l->size)
		return 0;
	record_decode(l, swapped, raw, ev);
	return avail < (size_t)l->size + ev->pdu_len ?
		       0 : (size_t)l->size + ev->pdu_len;
}

/* Which layout of an ambiguous version: the first after whose record another
 * one follows.  NULL: none. */
static const struct layout *settle(unsigned int version, bool swapped,
				   const uint8_t *raw, size_t avail)
{
	const struct layout *l;

	for (unsigned int n = 0; (l = record_layout(version, n)); n++) {
		struct event ev;
		size_t total = total_at(l, swapped, raw, avail, &ev);

		if (total && (avail - total < sizeof(uint32_t) ||
			      get32(raw + total) == get32(raw)))
			return l;
	}
	return NULL;
}

/* Whether a whole record is at raw; then *f. */
static bool find_record(struct packer *p, const uint8_t *raw, size_t avail,
			struct found *f)
{
	unsigned int version;
	bool swapped;

	if (avail < sizeof(uint32_t) || !record_magic(raw, &version, &swapped))
		return false;
	if (!p->settled[version])
		p->settled[version] = settle(version, swapped, raw, avail);
	f->raw = raw;
	f->layout = p->settled[version];
	f->big = swapped != BIG_HOST;
	f->total = f->layout ? total_at(f->layout, swapped, raw, avail,
					&f->ev) : 0;
	return f->total > 0;
}

/* The kind of a record, added if it is new; NULL: the block has no room. */
static const struct kind *kind_of(struct packer *p, const struct found *f)
{
	size_t size = f->layout->size, slot = slot_of(p, f->raw, size);

	for (; p->slots[slot]; slot = (slot + 1) % KIND_SLOTS) {
		const struct kind *k = &p->kinds[p->slots[slot] - 1];

		if (is_kind(k, f->raw, size))
			return k;
	}
	return add_kind(p, slot, f);
}

/* A note that acts is kept apart, for readers that skip the events. */
static int add_note(struct packer *p, const struct found *f)
{
	uint8_t *row;
	int err = 0;

	if (p->h.notes == PACK_NOTES || p->note_len > NOTE_BYTES)
		err = packer_flush(p);
	if (err)
		return err;
	note_head(p, f);
	row = p->note_table + p->h.notes++ * COLUMNS_NOTE;
	put_le32(row + NOTE_EVENTS, p->h.events);
	put_le32(row + NOTE_AT, p->h.len);
	put_le64(row + NOTE_AFTER, p->after);
	put_le16(row + NOTE_LEN, (uint16_t)f->total);
	memcpy(p->notes + p->note_len, f->raw, f->total);
	p->note_len += f->total;
	p->ids[p->records++] = 0;
	p->h.len += (uint32_t)f->total;
	p->taken += f->total;
	return 0;
}

static int add_found(struct packer *p, const struct found *f)
{
	const struct kind *k;
	int err;

	if (action_is_noted(f->ev.action))
		return f->total > PACK_NOTE_LEN ?
			       put_bytes(p, f->raw, f->total) : add_note(p, f);
	k = kind_of(p, f);
	if (!k) {
		err = packer_flush(p);
		if (err)
			return err;
		k = kind_of(p, f);
	}
	add_event(p, k, f->raw, f->layout->size, f->big != BIG_HOST);
	return p->full ? packer_flush(p) : 0;
}

/* --- bytes that are no record --------------------------------------------- */

/* Whether IN_ROW records are at raw, or as many as the bytes have room for. */
static bool goes_on(struct packer *p, const uint8_t *raw, size_t avail)
{
	struct found f;

	for (int i = 0; i < IN_ROW && avail; i++) {
		if (!find_record(p, raw, avail, &f))
			return false;
		raw += f.total;
		avail -= f.total;
	}
	return true;
}

/* How many bytes from raw on are none; at least 1. */
static size_t foreign(struct packer *p, const uint8_t *raw, size_t avail)
{
	const uint8_t *end = raw + (avail < PACK_BYTES ? avail : PACK_BYTES);
	const uint8_t *at = raw + 1;

	while (at < end) {
		at = record_find(at, end);
		if (end - at < (ptrdiff_t)sizeof(uint32_t) ||
		    goes_on(p, at, avail - (size_t)(at - raw)))
			break;
		at++;
	}
	return (size_t)((end - at < (ptrdiff_t)sizeof(uint32_t) ? end : at) -
			raw);
}

/* --- all ------------------------------------------------------------------ */

/*
 * The fast path: whole records of version 7 in this machine's order and of
 * kinds that are known.  Stops at any other and when the block is full; returns
 * the bytes taken.
 */
static size_t run(struct packer *p, const uint8_t *bytes, size_t len)
{
	const uint8_t *raw = bytes, *end = bytes + len;

	while (end - raw >= BLK_HEADER_7 && !p->full &&
	       get32(raw) == (BLK_MAGIC | BLK_VERSION_7)) {
		size_t slot = slot_of(p, raw, BLK_HEADER_7);
		const struct kind *k;

		while (p->slots[slot] &&
		       !is_kind(&p->kinds[p->slots[slot] - 1], raw,
				BLK_HEADER_7))
			slot = (slot + 1) % KIND_SLOTS;
		if (!p->slots[slot])
			break;
		k = &p->kinds[p->slots[slot] - 1];
		if (end - raw < BLK_HEADER_7 + k->payload)
			break;
		add_event(p, k, raw, BLK_HEADER_7, false);
		raw += BLK_HEADER_7 + k->payload;
	}
	return (size_t)(raw - bytes);
}

/* One record, or bytes that are none: how many, or -errno. */
static ssize_t step(struct packer *p, const uint8_t *bytes, size_t len)
{
	struct found f;
	size_t n;
	int err;

	if (!p->o.aside && find_record(p, bytes, len, &f)) {
		n = f.total;
		err = add_found(p, &f);
	} else {
		n = !p->o.aside ? foreign(p, bytes, len) :
		    len < PACK_BYTES ? len : PACK_BYTES;
		err = put_bytes(p, bytes, n);
	}
	return err ? err : (ssize_t)n;
}

/* Whether what is at raw can be judged: a record, or enough bytes to tell. */
static bool is_enough(struct packer *p, const uint8_t *raw, size_t avail)
{
	struct found f;

	return avail >= PACKER_LOOK || find_record(p, raw, avail, &f);
}

ssize_t packer_add(struct packer *p, const void *bytes, size_t len, bool ended)
{
	const uint8_t *raw = bytes, *end = raw + len;

	while (raw < end) {
		size_t n = p->o.aside ? 0 : run(p, raw, (size_t)(end - raw));
		ssize_t stepped;

		raw += n;
		stepped = p->full ? packer_flush(p) : 0;
		if (stepped < 0)
			return stepped;
		if (n)
			continue;
		if (!ended && !is_enough(p, raw, (size_t)(end - raw)))
			break;
		stepped = step(p, raw, (size_t)(end - raw));
		if (stepped < 0)
			return stepped;
		raw += stepped;
	}
	return raw - (const uint8_t *)bytes;
}
