/* SPDX-License-Identifier: GPL-2.0-only */
/* Columns of numbers, packed and as text; see columns.h. */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/hint.h"
#include "base/varint.h"
#include "report/columns.h"

enum {
	LEVEL = 6, WINDOW = 15, MEMORY = 8,	/* the library's usual ones */
	FIRST_BYTES = 4096, LINE = 3 * 1024,
};

int report_columns_new(struct report_columns **c)
{
	*c = calloc(1, sizeof(**c));
	return *c ? 0 : -ENOMEM;
}

void report_columns_free(struct report_columns *c)
{
	for (uint32_t i = 0; c && i < c->block_count; i++)
		free(c->blocks[i].bytes);
	free(c);
}

void report_columns_block(struct report_columns *c, const char *name)
{
	c->blocks[c->block_count++] = (struct report_block){ .name = name };
}

void report_columns_begin(struct report_columns *c, const char *name,
			  const char *encoding)
{
	struct report_column *column = &c->list[c->count++];

	c->last = 0;
	*column = (struct report_column){
		.block = c->block_count - 1, .encoding = encoding,
		.offset = c->blocks[c->block_count - 1].len,
	};
	snprintf(column->name, sizeof(column->name), "%s", name);
}

void report_columns_end(struct report_columns *c)
{
	struct report_column *column = &c->list[c->count - 1];

	column->bytes = c->blocks[column->block].len - column->offset;
}

/* there is room for that many numbers more: where the next one goes, or NULL */
static uint8_t *room_for(struct report_columns *c, size_t numbers)
{
	struct report_block *b = &c->blocks[c->block_count - 1];
	size_t needed = b->len + numbers * VARINT_BYTES;
	size_t size = b->size ? b->size : FIRST_BYTES;
	uint8_t *bytes;

	while (size < needed)
		size *= 2;
	if (size == b->size)
		return b->bytes + b->len;
	bytes = realloc(b->bytes, size);
	if (!bytes) {
		c->error = -ENOMEM;
		return NULL;
	}
	b->bytes = bytes;
	b->size = size;
	return bytes + b->len;
}

/* numbers of the column, up to end */
static void commit(struct report_columns *c, const uint8_t *end,
			   size_t numbers)
{
	struct report_block *b = &c->blocks[c->block_count - 1];

	b->len = (size_t)(end - b->bytes);
	c->list[c->count - 1].count += numbers;
}

/* --- packing -------------------------------------------------------------- */

static size_t base64_size(size_t len)
{
	return (len + 2) / 3 * 4;
}

/* all of a block, to room for as much as there can be: the caller's to free */
static uint8_t *deflate_all(z_stream *z, const struct report_block *b)
{
	uLong most = deflateBound(z, b->len);
	uint8_t *to = malloc(most);

	z->next_in = b->bytes;
	z->avail_in = (uInt)b->len;
	z->next_out = to;
	z->avail_out = (uInt)most;
	if (to && deflate(z, Z_FINISH) == Z_STREAM_END)
		return to;
	free(to);
	return NULL;
}

/*
 * Without looking for what came before but the last byte: numbers of a trace
 * repeat themselves in no other way, and this takes a fifth of the
 * instructions.
 */
static int pack(struct report_block *b)
{
	z_stream z = { .opaque = NULL };
	uint8_t *packed = NULL, *fit;

	/* the library has 32 bits for a length; no page is as large */
	if (b->len > INT32_MAX ||
	    deflateInit2(&z, LEVEL, Z_DEFLATED, WINDOW, MEMORY,
			 Z_RLE) != Z_OK)
		return -ENOMEM;
	packed = deflate_all(&z, b);
	if (packed) {
		fit = realloc(packed, z.total_out);
		free(b->bytes);
		b->bytes = fit ? fit : packed;
		b->len = b->size = z.total_out;
	}
	deflateEnd(&z);
	return packed ? 0 : -ENOMEM;
}

int report_columns_pack(struct report_columns *c)
{
	c->text = 0;
	for (uint32_t i = 0; !c->error && i < c->block_count; i++) {
		c->error = pack(&c->blocks[i]);
		c->text += base64_size(c->blocks[i].len);
	}
	return c->error;
}

/* --- text ----------------------------------------------------------------- */

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			      "abcdefghijklmnopqrstuvwxyz0123456789+/";

/* two letters for each twelve bits */
struct pairs {
	char of[1 << 12][2];
};

static void make_pairs(struct pairs *pairs)
{
	for (unsigned int i = 0; i < 1 << 12; i++) {
		pairs->of[i][0] = letters[i >> 6];
		pairs->of[i][1] = letters[i & 63];
	}
}

static inline char *put_pair(char *p, const struct pairs *pairs, uint64_t bits)
{
	memcpy(p, pairs->of[bits & 0xfff], 2);
	return p + 2;
}

/* six bytes of the eight that there are */
static inline char *put_six(char *p, const struct pairs *pairs,
			    const uint8_t *from)
{
	uint64_t bits;

	memcpy(&bits, from, sizeof(bits));
	bits = be64toh(bits);
	p = put_pair(p, pairs, bits >> 52);
	p = put_pair(p, pairs, bits >> 40);
	p = put_pair(p, pairs, bits >> 28);
	return put_pair(p, pairs, bits >> 16);
}

/* three bytes, or at the end one or two, with = for the others */
static char *put_three(char *p, const struct pairs *pairs, const uint8_t *from,
		       size_t len)
{
	uint32_t bits = (uint32_t)from[0] << 16;

	if (len > 1)
		bits |= (uint32_t)from[1] << 8;
	if (len > 2)
		bits |= from[2];
	p = put_pair(put_pair(p, pairs, bits >> 12), pairs, bits);
	memset(p - (3 - len), '=', 3 - len);
	return p;
}

void report_columns_write(const struct report_columns *c, uint32_t block,
			  struct buf *to)
{
	const struct report_block *from = &c->blocks[block];
	struct pairs pairs;

	make_pairs(&pairs);
	for (size_t at = 0; at < from->len;) {
		size_t end = from->len - at > LINE ? at + LINE : from->len;
		char *p = buf_room(to, base64_size(LINE));

		if (!p)
			return;
		for (; at + 8 <= end; at += 6)
			p = put_six(p, &pairs, from->bytes + at);
		for (; at < end; at += 3)
			p = put_three(p, &pairs, from->bytes + at,
				      end - at < 3 ? end - at : 3);
		buf_commit(to, p);
	}
}

/* --- numbers -------------------------------------------------------------- */

/* Most take a byte or two. */
static inline uint8_t *put_number(uint8_t *p, uint64_t v)
{
	if (v < 0x80) {
		*p = (uint8_t)v;
		return p + 1;
	}
	if (v < 0x4000) {
		p[0] = (uint8_t)(v | 0x80);
		p[1] = (uint8_t)(v >> 7);
		return p + 2;
	}
	return varint_put(p, v);
}

static INLINED uint64_t number_at(const uint8_t *p, size_t size)
{
	uint64_t v8;
	uint32_t v4;
	uint16_t v2;

	switch (size) {
	case 8: memcpy(&v8, p, 8); return v8;
	case 4: memcpy(&v4, p, 4); return v4;
	case 2: memcpy(&v2, p, 2); return v2;
	default: return *p;
	}
}

/* encodings, which change by the first letters of their names */
enum { PLAIN, STEP, ZIGZAG, BYTE };

static int encoding_of(const char *name)
{
	if (name[0] == 'd')
		return name[1] ? ZIGZAG : STEP;
	return name[1] ? BYTE : PLAIN;
}

/* Compilers make a loop for each size and encoding that is constant. */
static INLINED uint8_t *put_each(uint8_t *p, const struct report_numbers *n,
				 size_t size, int encoding, uint64_t *last)
{
	const uint8_t *from = n->first, *end = from + n->count * n->each;
	uint64_t before = *last;

	for (; from < end; from += n->each) {
		uint64_t v = number_at(from, size);

		if (encoding == BYTE)
			*p++ = (uint8_t)v;
		else if (encoding == PLAIN)
			p = put_number(p, v);
		else if (encoding == STEP)
			p = put_number(p, v - before);
		else
			p = put_number(p, varint_zigzag((int64_t)(v - before)));
		before = v;
	}
	*last = before;
	return p;
}

static uint8_t *put_plain(uint8_t *p, const struct report_numbers *n,
			  uint64_t *last)
{
	switch (n->size) {
	case 8: return put_each(p, n, 8, PLAIN, last);
	case 4: return put_each(p, n, 4, PLAIN, last);
	default: return put_each(p, n, n->size, PLAIN, last);
	}
}

void report_columns_put(struct report_columns *c, const char *encoding,
			const struct report_numbers *n)
{
	uint8_t *p = room_for(c, n->count);

	if (!p)
		return;
	switch (encoding_of(encoding)) {
	case PLAIN:
		p = put_plain(p, n, &c->last);
		break;
	case BYTE:
		p = put_each(p, n, n->size, BYTE, &c->last);
		break;
	case STEP:
		p = put_each(p, n, 8, STEP, &c->last);
		break;
	default:
		p = put_each(p, n, 8, ZIGZAG, &c->last);
	}
	commit(c, p, n->count);
}

void report_columns_list(struct report_columns *c, const char *encoding,
			 const uint64_t *list, size_t count)
{
	const struct report_numbers n = {
		list, count, sizeof(*list), sizeof(*list),
	};

	report_columns_put(c, encoding, &n);
}

void report_columns_u(struct report_columns *c, uint64_t v)
{
	report_columns_list(c, "u", &v, 1);
}

void report_columns_d(struct report_columns *c, uint64_t v)
{
	report_columns_list(c, "d", &v, 1);
}
