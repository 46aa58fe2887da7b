/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The data of a page: columns of numbers, in blocks that are zlib streams, as
 * text in base64.  doc/report.md has the format.
 *
 * What goes wrong (no memory) is kept, and returned in the end.
 */
#ifndef REPORT_COLUMNS_H
#define REPORT_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

#include "base/varint.h"

struct buf;			/* base/buf.h */

enum {
	COLUMN_NAME_MAX = 24,
	/* six for each device that is told apart, and some */
	COLUMNS_MAX = 1024,
	BLOCKS_MAX = 16,
};

struct report_column {
	char name[COLUMN_NAME_MAX];
	uint32_t block;
	size_t offset, bytes;	/* in it, before it is packed */
	uint64_t count;		/* numbers */
	const char *encoding;
};

struct report_block {
	const char *name;
	uint8_t *bytes;		/* packed, if so: behind the end */
	size_t len, size;
};

struct report_columns {
	struct report_column list[COLUMNS_MAX];
	uint32_t count;
	struct report_block blocks[BLOCKS_MAX];
	uint32_t block_count;
	size_t text;		/* behind the end: bytes of all in base64 */
	uint64_t last;		/* of the column, for differences */
	int error;
};

/* none so far: 0 and *c, or -ENOMEM */
int report_columns_new(struct report_columns **c);
void report_columns_free(struct report_columns *c);

/* what follows goes to a block of that name, a constant */
void columns_block(struct report_columns *c, const char *name);

/* what follows is a column with that encoding: "u", "d", "dz" or "u8" */
void columns_begin(struct report_columns *c, const char *name,
		   const char *encoding);
void columns_end(struct report_columns *c);

/* slow path of the room for a number */
uint8_t *columns_room(struct report_columns *c);

/* the next number of a column: as itself, as the difference to the one before,
 * which is not above it, or that may be, or as a byte */
static inline void columns_u(struct report_columns *c, uint64_t v)
{
	struct report_block *b = &c->blocks[c->block_count - 1];
	uint8_t *p = b->size - b->len >= VARINT_BYTES ? b->bytes + b->len :
							columns_room(c);

	if (p)
		b->len = (size_t)(varint_put(p, v) - b->bytes);
	c->list[c->count - 1].count++;
}

static inline void columns_d(struct report_columns *c, uint64_t v)
{
	columns_u(c, v - c->last);
	c->last = v;
}

static inline void columns_dz(struct report_columns *c, uint64_t v)
{
	columns_u(c, varint_zigzag((int64_t)(v - c->last)));
	c->last = v;
}

void columns_u8(struct report_columns *c, uint8_t v);

/* No more columns: blocks are packed.  0 or -ENOMEM. */
int columns_pack(struct report_columns *c);

/* a packed block as base64 */
void columns_write(const struct report_columns *c, uint32_t block,
		   struct buf *b);

#endif
