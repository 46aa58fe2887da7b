/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading pages of a Parquet file; see page_reader.h. */
#include "emit/parquet/page_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/little.h"
#include "base/varint.h"
#include "emit/parquet/hybrid.h"
#include "emit/parquet/page.h"
#include "emit/parquet/thrift_reader.h"

enum {
	HEAD = 512,		/* bytes, more than any page's head */
	ANY_WINDOW = 15 + 32,	/* gzip's format or zlib's */
	MINIBLOCKS = 512
};

/* what is left of a page's body */
struct body {
	const uint8_t *at, *end;
};

/* a page's head */
struct head {
	bool dictionary;
	uint64_t plain, stored, values;
	uint32_t checksum;
	int64_t encoding;
	size_t len;		/* its bytes */
};

void page_reader_begin(struct page_reader *r, int fd,
		       const struct column *column,
		       const struct page_place *place)
{
	r->fd = fd;
	r->column = column;
	r->place = *place;
	r->count = r->next = 0;
	r->text_count = 0;
}

void page_reader_free(struct page_reader *r)
{
	free(r->texts);
	free(r->text_at);
	free(r->cells);
	free(r->numbers);
	free(r->values);
	*r = (struct page_reader){ 0 };
}

/* --- heads ---------------------------------------------------------------- */

static void read_kind(struct thrift_reader *t, struct head *h)
{
	int type, field;

	thrift_enter(t);
	while ((type = thrift_next(t, &field)))
		if (field == 1 && type == THRIFT_I32)
			h->values = (uint64_t)thrift_read_number(t);
		else if (field == 2 && type == THRIFT_I32)
			h->encoding = thrift_read_number(t);
		else
			thrift_pass(t, type);
}

static void read_field(struct thrift_reader *t, struct head *h, int field)
{
	int64_t v = thrift_read_number(t);

	if (field == 1)
		h->dictionary = v == 2;
	else if (field == 2)
		h->plain = (uint64_t)v;
	else if (field == 3)
		h->stored = (uint64_t)v;
	else if (field == 4)
		h->checksum = (uint32_t)v;
}

static int parse_head(const uint8_t *bytes, size_t len, struct head *h)
{
	struct thrift_reader t = { .at = bytes, .end = bytes + len };
	int type, field;

	*h = (struct head){ .dictionary = false };
	thrift_enter(&t);
	while ((type = thrift_next(&t, &field)))
		if (type == THRIFT_I32)
			read_field(&t, h, field);
		else if (type == THRIFT_STRUCT && (field == 5 || field == 7))
			read_kind(&t, h);
		else
			thrift_pass(&t, type);
	h->len = (size_t)(t.at - bytes);
	if (t.bad || h->plain > PAGE_READER_BYTES ||
	    h->stored > PAGE_READER_BYTES || h->values > PAGE_READER_VALUES)
		return -EBADMSG;
	return 0;
}

/* --- bytes ---------------------------------------------------------------- */

static int read_all(int fd, uint8_t *to, size_t len, uint64_t at)
{
	while (len) {
		ssize_t n = pread(fd, to, len, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EBADMSG;
		to += n;
		at += (uint64_t)n;
		len -= (size_t)n;
	}
	return 0;
}

/* 0 and *plain, of h->plain bytes, to be freed */
static int unpack(const struct head *h, const uint8_t *stored, uint8_t **plain)
{
	z_stream z = { .next_in = (uint8_t *)(uintptr_t)stored,
		       .avail_in = (uInt)h->stored };
	int code;

	*plain = malloc(h->plain + 1);
	if (!*plain || inflateInit2(&z, ANY_WINDOW) != Z_OK) {
		free(*plain);
		return -ENOMEM;
	}
	z.next_out = *plain;
	z.avail_out = (uInt)h->plain + 1;
	code = inflate(&z, Z_FINISH);
	inflateEnd(&z);
	if (code == Z_STREAM_END && z.total_out == h->plain)
		return 0;
	free(*plain);
	return -EBADMSG;
}

/* The next page's head and *body, to be freed. */
static int read_page(struct page_reader *r, struct head *h, uint8_t **body)
{
	uint8_t bytes[HEAD], *plain;
	struct page_place *p = &r->place;
	size_t len = p->stored < HEAD ? (size_t)p->stored : HEAD;
	int err = read_all(r->fd, bytes, len, p->at);

	if (!err)
		err = parse_head(bytes, len, h);
	if (!err && (h->stored > p->stored - h->len ||
		     (!p->packed && h->plain != h->stored)))
		err = -EBADMSG;
	*body = err ? NULL : malloc(h->stored + 1);
	if (err || !*body)
		return err ? err : -ENOMEM;
	err = read_all(r->fd, *body, h->stored, p->at + h->len);
	if (!err && (uint32_t)crc32(0, *body, (uInt)h->stored) != h->checksum)
		err = -EBADMSG;
	if (!err && p->packed) {
		err = unpack(h, *body, &plain);
		free(*body);
		*body = err ? NULL : plain;
	}
	if (err) {
		free(*body);
		*body = NULL;
		return err;
	}
	p->at += h->len + h->stored;
	p->stored -= h->len + h->stored;
	return 0;
}

/* --- the dictionary -------------------------------------------------------- */

/* Finds the texts, each a length and its bytes. */
static int find_texts(struct page_reader *r, uint64_t count)
{
	uint32_t *list = realloc(r->text_at, (count + 1) * sizeof(*list));
	size_t at = 0;

	r->text_count = 0;
	if (!list)
		return -ENOMEM;
	r->text_at = list;
	for (; r->text_count < count; r->text_count++) {
		size_t left = r->texts_len - at;

		if (left < 4 || get_le32(r->texts + at) > left - 4)
			return -EBADMSG;
		r->text_at[r->text_count] = (uint32_t)at;
		at += 4 + get_le32(r->texts + at);
	}
	return 0;
}

static int load_texts(struct page_reader *r)
{
	struct head h;
	int err;

	free(r->texts);
	r->texts = NULL;
	r->place.texts_first = false;
	err = read_page(r, &h, &r->texts);
	if (err)
		return err;
	r->texts_len = h.plain;
	if (!h.dictionary || h.encoding != PAGE_PLAIN)
		return -EBADMSG;
	return find_texts(r, h.values);
}

/* --- small numbers -------------------------------------------------------- */

/* width bits, at most 64, from bit on, which are in the body */
static uint64_t bits_at(const struct body *b, uint64_t bit, unsigned int width)
{
	const uint8_t *p = b->at + bit / 8;
	unsigned int off = bit % 8;
	uint64_t v = 0;

	if (!width)
		return 0;
	for (unsigned int have = 0; have < off + width; have += 8, p++) {
		uint64_t byte = *p;

		v |= have < off ? byte >> off : byte << (have - off);
	}
	return width == 64 ? v : v & ((1ull << width) - 1);
}

/* count groups of eight packed numbers */
static int read_packed(struct body *b, unsigned int width, uint32_t *to,
		       uint64_t groups, uint32_t room, uint32_t *got)
{
	uint64_t bytes = groups * width;

	if (groups > PAGE_READER_VALUES || bytes > (uint64_t)(b->end - b->at))
		return -EBADMSG;
	for (uint32_t i = 0; i < groups * 8 && *got < room; i++)
		to[(*got)++] = (uint32_t)bits_at(b, (uint64_t)i * width,
						 width);
	b->at += bytes;
	return 0;
}

static int read_repeated(struct body *b, unsigned int width, uint32_t *to,
			 uint64_t times, uint32_t room, uint32_t *got)
{
	size_t bytes = (width + 7) / 8;
	uint32_t value = 0;

	if (bytes > (size_t)(b->end - b->at))
		return -EBADMSG;
	for (size_t i = 0; i < bytes; i++)
		value |= (uint32_t)b->at[i] << 8 * i;
	b->at += bytes;
	for (; times && *got < room; times--)
		to[(*got)++] = value;
	return 0;
}

/* count numbers of width bits, at most 32, in runs (hybrid.h) */
static int read_hybrid(struct body *b, unsigned int width, uint32_t *to,
		       uint32_t count)
{
	uint32_t got = 0;

	while (got < count) {
		uint64_t run;
		int err;

		if (!varint_get(&b->at, b->end, &run) || !(run >> 1))
			return -EBADMSG;
		err = run & 1 ?
			read_packed(b, width, to, run >> 1, count, &got) :
			read_repeated(b, width, to, run >> 1, count, &got);
		if (err)
			return err;
	}
	return 0;
}

/* --- integers ------------------------------------------------------------- */

/* a page's stream of differences (delta.h) */
struct differences {
	uint64_t block, minis, count;
	uint64_t value;
};

static int read_header(struct body *b, struct differences *d)
{
	uint64_t first;

	if (!varint_get(&b->at, b->end, &d->block) ||
	    !varint_get(&b->at, b->end, &d->minis) ||
	    !varint_get(&b->at, b->end, &d->count) ||
	    !varint_get(&b->at, b->end, &first) ||
	    !d->minis || d->minis > MINIBLOCKS || !d->block ||
	    d->block > PAGE_READER_VALUES || d->block % d->minis)
		return -EBADMSG;
	d->value = (uint64_t)varint_unzigzag(first);
	return 0;
}

/* one miniblock, of at most room values */
static int read_mini(struct body *b, struct differences *d, uint64_t lowest,
		     unsigned int width, int64_t *to, uint64_t room)
{
	uint64_t each = d->block / d->minis, bytes = (each * width + 7) / 8;

	if (bytes > (uint64_t)(b->end - b->at) || width > 64)
		return -EBADMSG;
	for (uint64_t i = 0; i < each && i < room; i++) {
		d->value += lowest + bits_at(b, i * width, width);
		to[i] = (int64_t)d->value;
	}
	b->at += bytes;
	return 0;
}

static int read_block(struct body *b, struct differences *d, int64_t *to,
		      uint64_t left, uint64_t *got)
{
	uint64_t each = d->block / d->minis, lowest;
	const uint8_t *widths;
	int err = 0;

	if (!varint_get(&b->at, b->end, &lowest) ||
	    d->minis > (uint64_t)(b->end - b->at))
		return -EBADMSG;
	widths = b->at;
	b->at += d->minis;
	*got = 0;
	for (uint64_t i = 0; !err && i < d->minis && *got < left; i++) {
		err = read_mini(b, d, (uint64_t)varint_unzigzag(lowest),
				widths[i], to + *got, left - *got);
		*got += each < left - *got ? each : left - *got;
	}
	return err;
}

/* count values */
static int read_delta(struct body *b, bool narrow, int64_t *to, uint64_t count)
{
	struct differences d;
	uint64_t got = 0, more;
	int err = read_header(b, &d);

	if (err || d.count != count)
		return err ? err : -EBADMSG;
	if (count)
		to[got++] = (int64_t)d.value;
	while (!err && got < count) {
		err = read_block(b, &d, to + got, count - got, &more);
		got += more;
	}
	for (uint64_t i = 0; !err && narrow && i < count; i++)
		to[i] = (int32_t)(uint32_t)(uint64_t)to[i];
	return err;
}

/* --- pages ---------------------------------------------------------------- */

static int reserve(struct page_reader *r, uint32_t count)
{
	if (count <= r->room)
		return 0;
	free(r->cells);
	free(r->numbers);
	free(r->values);
	r->room = 0;
	r->cells = calloc(count, sizeof(*r->cells));
	r->numbers = calloc(count, sizeof(*r->numbers));
	r->values = calloc(count, sizeof(*r->values));
	if (!r->cells || !r->numbers || !r->values)
		return -ENOMEM;
	r->room = count;
	return 0;
}

/* Which cells are not null; their number, or -errno. */
static int64_t read_present(struct page_reader *r, struct body *b)
{
	struct body levels;
	int64_t present = 0;
	int err;

	for (uint32_t i = 0; i < r->count; i++)
		r->cells[i].null = false;
	if (!r->column->may_be_null)
		return r->count;
	if (b->end - b->at < 4 ||
	    get_le32(b->at) > (uint64_t)(b->end - b->at - 4))
		return -EBADMSG;
	levels = (struct body){ b->at + 4, b->at + 4 + get_le32(b->at) };
	b->at = levels.end;
	err = read_hybrid(&levels, 1, r->numbers, r->count);
	if (err)
		return err;
	for (uint32_t i = 0; i < r->count; i++) {
		r->cells[i].null = !(r->numbers[i] & 1);
		present += r->numbers[i] & 1;
	}
	return present;
}

static int put_text(const struct page_reader *r, struct cell *c, uint32_t n)
{
	const uint8_t *at;

	if (n >= r->text_count)
		return -EBADMSG;
	at = r->texts + r->text_at[n];
	c->text = (const char *)at + 4;
	c->len = get_le32(at);
	return 0;
}

static int read_texts(struct page_reader *r, struct body *b, uint32_t present)
{
	unsigned int width = b->at < b->end ? *b->at++ : 64;
	uint32_t next = 0;
	int err = width > 32 ? -EBADMSG : 0;

	if (!err)
		err = read_hybrid(b, width, r->numbers, present);
	for (uint32_t i = 0; !err && i < r->count; i++)
		if (!r->cells[i].null)
			err = put_text(r, &r->cells[i], r->numbers[next++]);
	return err;
}

static int read_numbers(struct page_reader *r, struct body *b,
			uint32_t present)
{
	uint32_t next = 0;
	int err = read_delta(b, r->column->type == COLUMN_INT32, r->values,
			     present);

	for (uint32_t i = 0; !err && i < r->count; i++)
		if (!r->cells[i].null)
			r->cells[i].number = r->values[next++];
	return err;
}

static int decode(struct page_reader *r, const struct head *h,
		  const uint8_t *bytes)
{
	struct body b = { bytes, bytes + h->plain };
	bool texts = r->column->type == COLUMN_TEXT;
	int64_t present;

	if (h->dictionary || !h->values ||
	    h->encoding != (texts ? PAGE_DICTIONARY : PAGE_DELTA))
		return -EBADMSG;
	if (reserve(r, (uint32_t)h->values))
		return -ENOMEM;
	r->count = (uint32_t)h->values;
	present = read_present(r, &b);
	if (present < 0)
		return (int)present;
	return texts ? read_texts(r, &b, (uint32_t)present) :
		       read_numbers(r, &b, (uint32_t)present);
}

int page_reader_load(struct page_reader *r)
{
	uint8_t *body;
	struct head h;
	int err = r->place.texts_first ? load_texts(r) : 0;

	r->count = r->next = 0;
	if (!err && !r->place.stored)
		err = -ENODATA;
	if (!err)
		err = read_page(r, &h, &body);
	if (err)
		return err;
	err = decode(r, &h, body);
	free(body);
	if (err)
		r->count = 0;
	return err;
}
