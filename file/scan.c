/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All bytes of a source; see scan.h.
 *
 * From the current place on, the buffer has the largest possible record and
 * the start of the next, or all up to the end.  The last record's payload stays
 * in it: if its length is wrong, the next record is in there.
 *
 *	0    body   at                        end      SIZE
 *	|    |......| looked at next          | room   |
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "file/header.h"
#include "file/hooks.h"
#include "file/scan.h"
#include "file/source.h"

enum {
	STEP = BLK_HEADER_7,
	AHEAD = 2 * (BLK_HEADER_MAX + BLK_PAYLOAD_MAX),
	SIZE = 2 * AHEAD,
};

struct scan {
	struct source *src;
	uint32_t cpu;
	struct header_reader headers;
	const struct hooks *hooks;
	bool ordered, swapped;	/* the byte order, once it is known */
	bool guessed;

	size_t body;		/* payload of the last record; at most at */
	size_t at, end;
	uint64_t base;		/* offset of buf[0] in the source */
	bool eof;
	int error;		/* the source's, returned at the end */
	uint8_t buf[SIZE];
};

struct scan *scan_new(struct source *src, uint32_t cpu,
		      const struct hooks *hooks)
{
	struct scan *ps = malloc(sizeof(*ps));

	if (!ps) {
		source_close(src);
		return NULL;
	}
	/* all but the buffer, which is large */
	memset(ps, 0, offsetof(struct scan, buf));
	ps->src = src;
	ps->cpu = cpu;
	ps->hooks = hooks;
	return ps;
}

void scan_free(struct scan *ps)
{
	if (!ps)
		return;
	source_close(ps->src);
	free(ps);
}

/* --- bytes into the buffer ---------------------------------------------- */

static void slide(struct scan *ps)
{
	memmove(ps->buf, ps->buf + ps->body, ps->end - ps->body);
	ps->base += ps->body;
	ps->at -= ps->body;
	ps->end -= ps->body;
	ps->body = 0;
}

/* Reads until there is enough for the next step, or all there is. */
static void look_ahead(struct scan *ps)
{
	if (ps->eof || ps->end - ps->at >= AHEAD)
		return;
	slide(ps);
	while (!ps->eof && ps->end - ps->at < AHEAD) {
		ssize_t n = source_read(ps->src, ps->buf + ps->end,
					SIZE - ps->end);

		if (n == -EUCLEAN) {
			ps->hooks->damage(ps->hooks->ctx,
					  source_damage(ps->src));
			continue;
		}
		if (n < 0)
			ps->error = (int)n;
		if (n <= 0)
			ps->eof = true;
		else
			ps->end += (size_t)n;
	}
}

/* --- the next record ---------------------------------------------------- */

static enum header_verdict header_at(struct scan *ps, size_t at,
				     struct header *h)
{
	return header_read(&ps->headers, ps->buf + at, ps->end - at, ps->eof,
			   h);
}

/* Whether a record, or the end, follows the record of header h. */
static bool followed(const struct scan *ps, size_t at, const struct header *h)
{
	size_t avail = ps->end - at;
	unsigned int version;
	bool swapped;

	if (h->total >= avail)
		return h->total == avail && ps->eof;
	return avail - h->total >= sizeof(uint32_t) &&
	       record_magic(ps->buf + at + h->total, &version, &swapped) &&
	       swapped == h->swapped;
}

/* Whether records continue at a place; as strict as file/stream. */
static bool plausible(struct scan *ps, size_t at)
{
	struct header h;

	return header_at(ps, at, &h) == HEADER_WHOLE &&
	       (!ps->ordered || h.swapped == ps->swapped) &&
	       !(h.zone >> (BLK_TC_COUNT - 16)) && followed(ps, at, &h);
}

/* One step after bytes that are no record, any magic will do. */
static bool in_step(struct scan *ps, size_t at)
{
	unsigned int version;
	bool swapped;

	return at == ps->at + STEP && ps->end - at >= sizeof(uint32_t) &&
	       record_magic(ps->buf + at, &version, &swapped);
}

/* The first place in [from, stop) where records continue; or stop. */
static size_t search(struct scan *ps, size_t from, size_t stop)
{
	/* a magic at the last place ends three bytes after it */
	const uint8_t *end = ps->buf + (ps->end - stop < 3 ? ps->end :
							     stop + 3);

	for (; from < stop; from++) {
		from = (size_t)(record_find(ps->buf + from, end) - ps->buf);
		if (from < stop && (in_step(ps, from) || plausible(ps, from)))
			break;
	}
	return from < stop ? from : stop;
}

/* --- what is no record -------------------------------------------------- */

static uint32_t magic_at(const struct scan *ps)
{
	uint32_t magic = get32(ps->buf + ps->at);

	return ps->swapped ? __builtin_bswap32(magic) : magic;
}

/*
 * Before the first record, the byte order is that of the next one in the
 * buffer.  Tried once, as garbage may be long.
 */
static void guess_order(struct scan *ps)
{
	size_t to = search(ps, ps->at + 1, ps->end);
	unsigned int version;

	ps->guessed = true;
	if (to < ps->end)
		record_magic(ps->buf + to, &version, &ps->swapped);
}

/* Shows the bytes as the record of version 7 that they may have been. */
static void set_header(struct scan *ps, struct piece *p)
{
	p->header = ps->end - ps->at >= STEP;
	if (!p->header)
		return;
	if (!ps->ordered && !ps->guessed)
		guess_order(ps);
	record_decode(record_layout(BLK_VERSION_7, 0), ps->swapped,
		      ps->buf + ps->at, &p->ev);
	p->magic = magic_at(ps);
}

static enum piece_kind kind_of(const struct scan *ps)
{
	const uint8_t *raw = ps->buf + ps->at;
	size_t zeros = 0;

	while (zeros < STEP && zeros < ps->end - ps->at && !raw[zeros])
		zeros++;
	if (zeros == STEP || zeros == ps->end - ps->at)
		return PIECE_ZEROS;
	return (magic_at(ps) & BLK_MAGIC_MASK) == BLK_MAGIC ? PIECE_VERSION :
							      PIECE_FOREIGN;
}

/* Moves the current place; nothing before it is needed any more. */
static void advance(struct scan *ps, struct piece *p, size_t to)
{
	p->len += to - ps->at;
	ps->at = ps->body = to;
	look_ahead(ps);
}

static void pass_zeros(struct scan *ps, struct piece *p)
{
	do {
		size_t to = ps->at;

		while (to < ps->end && !ps->buf[to])
			to++;
		advance(ps, p, to);
	} while (ps->at < ps->end && !ps->buf[ps->at]);
}

/* A record of unknown length: up to the next of a known version. */
static void pass_unknown(struct scan *ps, struct piece *p)
{
	size_t from = ps->at + 1;

	while (ps->at < ps->end) {
		/* a record near the buffer's end cannot be checked */
		size_t stop = ps->eof ? ps->end : ps->end - AHEAD / 2;
		size_t to = search(ps, from, stop);

		advance(ps, p, to);
		if (to < stop)
			return;
		from = ps->at;
	}
}

/* One step; a rest shorter than a step before the next record is part of it. */
static void pass_foreign(struct scan *ps, struct piece *p)
{
	size_t left = ps->end - ps->at;
	size_t stop = ps->at + (left < 2 * STEP ? left : 2 * STEP);
	size_t to = search(ps, ps->at + 1, stop);

	if (to == stop && left > STEP)
		to = ps->at + STEP;
	advance(ps, p, to);
}

/* Records may continue inside the payload of the last one. */
static bool step_back(struct scan *ps)
{
	size_t to = ps->body;

	while (to < ps->at && !plausible(ps, to))
		to++;
	if (to == ps->at)
		return false;
	ps->at = ps->body = to;
	return true;
}

static void set_foreign(struct scan *ps, struct piece *p)
{
	set_header(ps, p);
	p->kind = kind_of(ps);
	if (step_back(ps))
		return;
	if (p->kind == PIECE_ZEROS)
		pass_zeros(ps, p);
	else if (p->kind == PIECE_VERSION)
		pass_unknown(ps, p);
	else
		pass_foreign(ps, p);
}

/* --- records ------------------------------------------------------------ */

static void decode(struct scan *ps, const struct header *h, struct piece *p)
{
	const struct layout *l = h->layout ? h->layout :
					     record_layout(BLK_VERSION_7, 0);

	record_decode(l, h->swapped, ps->buf + ps->at, &p->ev);
	if (!l->cpu_bytes)
		p->ev.cpu = ps->cpu;
	p->header = true;
	p->magic = BLK_MAGIC | l->version;
	p->raw = ps->buf + ps->at;
	p->layout = l;
	ps->ordered = true;
	ps->swapped = h->swapped;
}

static void set_record(struct scan *ps, const struct header *h,
			struct piece *p)
{
	decode(ps, h, p);
	p->kind = PIECE_RECORD;
	p->len = h->total;
	ps->body = ps->at + h->size;
	ps->at += h->total;
}

/* The source ends inside the payload, unless its length is wrong. */
static void set_cut(struct scan *ps, const struct header *h, struct piece *p)
{
	size_t to = ps->at + 1;

	decode(ps, h, p);
	p->kind = PIECE_CUT_PAYLOAD;
	while (to < ps->end && !plausible(ps, to))
		to++;
	advance(ps, p, to);
}

static void set_rest(struct scan *ps, struct piece *p)
{
	p->kind = PIECE_CUT_HEADER;
	advance(ps, p, ps->end);
}

/*
 * A record of an impossible CPU is still a record; but if it is not of version
 * 7, the version may be the damaged part, so its length must fit.
 */
static enum header_verdict check_header(struct scan *ps, struct header *h)
{
	enum header_verdict v = header_at(ps, ps->at, h);
	unsigned int version;
	bool swapped;

	if (v == HEADER_BAD &&
	    record_magic(ps->buf + ps->at, &version, &swapped) &&
	    (version == BLK_VERSION_7 || followed(ps, ps->at, h)))
		return HEADER_WHOLE;
	return v;
}

int scan_next(struct scan *ps, struct piece *p)
{
	struct header h;
	enum header_verdict v;

	look_ahead(ps);
	if (ps->at == ps->end) {
		int error = ps->error;

		ps->error = 0;
		return error;
	}
	*p = (struct piece){ .at = ps->base + ps->at };
	v = check_header(ps, &h);
	if (v == HEADER_BAD)
		set_foreign(ps, p);
	else if (v == HEADER_SHORT)
		set_rest(ps, p);
	else if (h.total <= ps->end - ps->at)
		set_record(ps, &h, p);
	else
		set_cut(ps, &h, p);
	return 1;
}
