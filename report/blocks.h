/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A report as columns of numbers, in blocks that are zlib streams, as text in
 * base64 (doc/report.md): all its rows or counts of them, as many as there is
 * room for.
 */
#ifndef REPORT_BLOCKS_H
#define REPORT_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct report;			/* report/report.h */
struct buf;			/* base/buf.h */

enum {
	COLUMN_NAME_MAX = 24,
	/* six for each device with a lane, and some */
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

/* how a page shows a report; the script needs these */
struct report_blocks {
	struct report_columns *columns;	/* packed */
	bool exact;		/* it has all rows */
	uint32_t bins;		/* else: of width r->width */
	uint32_t first, buckets;	/* of the spans; none: 0, 1 */
	uint32_t cells, rows;	/* of offsets; rows at most */
	uint64_t width;		/* of a cell, ns */
	uint32_t open;		/* rows of open ios at most, unless exact */
	unsigned int rung;	/* blocks.c's */
};

/*
 * Makes the most detailed one of at most budget bytes as text, else the least
 * detailed; r loses the data left out.  0 or -ENOMEM.
 */
int report_blocks_make(struct report_blocks *b, struct report *r,
		       size_t budget);

/* makes it anew with less detail; 0 or -ENOMEM */
int report_blocks_less(struct report_blocks *b, struct report *r,
		       size_t budget);

/* whether there is no less detail */
bool report_blocks_least(const struct report_blocks *b);

void report_blocks_free(struct report_blocks *b);

/* a packed block as base64 */
void report_blocks_write(const struct report_blocks *b, uint32_t block,
			 struct buf *to);

#endif
