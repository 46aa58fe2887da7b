/* SPDX-License-Identifier: GPL-2.0-only */
/* Columns of numbers; see columns.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/buf.h"
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

void columns_block(struct report_columns *c, const char *name)
{
	c->blocks[c->block_count++] = (struct report_block){ .name = name };
}

void columns_begin(struct report_columns *c, const char *name,
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

void columns_end(struct report_columns *c)
{
	struct report_column *column = &c->list[c->count - 1];

	column->bytes = c->blocks[column->block].len - column->offset;
}

uint8_t *columns_room(struct report_columns *c)
{
	struct report_block *b = &c->blocks[c->block_count - 1];
	size_t size = b->size ? 2 * b->size : FIRST_BYTES;
	uint8_t *bytes = realloc(b->bytes, size);

	if (!bytes) {
		c->error = -ENOMEM;
		return NULL;
	}
	b->bytes = bytes;
	b->size = size;
	return bytes + b->len;
}

void columns_u8(struct report_columns *c, uint8_t v)
{
	struct report_block *b = &c->blocks[c->block_count - 1];
	uint8_t *p = b->size > b->len ? b->bytes + b->len : columns_room(c);

	if (p) {
		*p = v;
		b->len++;
	}
	c->list[c->count - 1].count++;
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

int columns_pack(struct report_columns *c)
{
	c->text = 0;
	for (uint32_t i = 0; !c->error && i < c->block_count; i++) {
		c->error = pack(&c->blocks[i]);
		c->text += base64_size(c->blocks[i].len);
	}
	return c->error;
}

/* --- text ----------------------------------------------------------------- */

static char *put_three(char *p, const uint8_t *from, size_t len)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "abcdefghijklmnopqrstuvwxyz"
				      "0123456789+/";
	uint32_t bits = (uint32_t)from[0] << 16;

	if (len > 1)
		bits |= (uint32_t)from[1] << 8;
	if (len > 2)
		bits |= from[2];
	*p++ = letters[bits >> 18];
	*p++ = letters[bits >> 12 & 63];
	*p++ = len > 1 ? letters[bits >> 6 & 63] : '=';
	*p++ = len > 2 ? letters[bits & 63] : '=';
	return p;
}

void columns_write(const struct report_columns *c, uint32_t block,
		   struct buf *b)
{
	const struct report_block *from = &c->blocks[block];

	for (size_t at = 0; at < from->len;) {
		size_t end = from->len - at > LINE ? at + LINE : from->len;
		char *p = buf_room(b, base64_size(LINE));

		if (!p)
			return;
		for (; at < end; at += 3)
			p = put_three(p, from->bytes + at, end - at);
		buf_commit(b, p);
	}
}
