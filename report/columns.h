/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Columns of numbers in blocks, which are zlib streams in the end, and base64 in a
 * page (doc/report.md).
 *
 *	report_columns_new
 *	report_columns_block	starts one
 *	report_columns_begin	starts a column of it
 *	report_columns_put	its next numbers
 *	report_columns_end
 *	report_columns_pack	after the last block
 *	report_columns_write	a block
 *	report_columns_free
 *
 * The first failure is kept in error, and what is put after it is lost.
 */
#ifndef REPORT_COLUMNS_H
#define REPORT_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

struct buf;			/* base/buf.h */

enum {
	COLUMN_NAME_MAX = 24,
	/* six for each device with a lane, and some */
	COLUMNS_MAX = 1024,
	BLOCKS_MAX = 16,
	NUMBERS_PUT = 256,	/* numbers that are put at a time */
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
	uint8_t *bytes;		/* packed in the end */
	size_t len, size;
};

struct report_columns {
	struct report_column list[COLUMNS_MAX];
	uint32_t count;
	struct report_block blocks[BLOCKS_MAX];
	uint32_t block_count;
	size_t text;		/* after packing: bytes of all in base64 */
	uint64_t last;		/* of the column, for differences */
	int error;
};

/* numbers in memory: members of structs, say */
struct report_numbers {
	const void *first;
	size_t count;
	size_t each;		/* bytes from one to the next */
	size_t size;		/* of one: 8, 4, 2, or 1 */
};

/* 0 or -ENOMEM */
int report_columns_new(struct report_columns **c);

/* NULL is fine */
void report_columns_free(struct report_columns *c);

/* name must outlive the columns; at most BLOCKS_MAX blocks */
void report_columns_block(struct report_columns *c, const char *name);

/* the name is copied, and cut; encoding must outlive the columns */
void report_columns_begin(struct report_columns *c, const char *name,
			  const char *encoding);
void report_columns_end(struct report_columns *c);

/*
 * The next numbers of a column: as themselves (u, or u8 as bytes), as differences
 * to the ones before and not below them (d), or as any differences (dz).
 */
void report_columns_put(struct report_columns *c, const char *encoding,
			const struct report_numbers *n);
void report_columns_list(struct report_columns *c, const char *encoding,
			 const uint64_t *list, size_t count);

/* one number of a column u, or d */
void report_columns_u(struct report_columns *c, uint64_t v);
void report_columns_d(struct report_columns *c, uint64_t v);

/* packs all blocks; sets text; 0 or -ENOMEM, also of an earlier failure */
int report_columns_pack(struct report_columns *c);

/* a packed block as base64 */
void report_columns_write(const struct report_columns *c, uint32_t block,
			  struct buf *to);

#endif
