/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What stands at the end of a Parquet file: its columns, and where in the file
 * each column of each row group is, with its lowest and highest value.
 *
 * It is all that grows with the file: 5 KiB for a group of 61 columns.
 */
#ifndef EMIT_PARQUET_FOOTER_H
#define EMIT_PARQUET_FOOTER_H

#include <stdbool.h>
#include <stdint.h>

#include "emit/parquet/chain.h"
#include "emit/parquet/thrift.h"

struct chunk;			/* emit/parquet/chunk.h */
struct row_shape;		/* emit/row.h */

struct footer {
	const struct row_shape *shape;
	bool packed;		/* pages are gzip'd */
	unsigned int schema;	/* version of the table's meaning */
	struct chain groups;	/* as they will be written */
	struct thrift thrift;	/* of the group in hand */
	uint32_t group_count;
	int64_t rows;		/* of all groups */
	uint64_t plain, stored;	/* bytes of the group in hand: unpacked, and
				 * in the file */
};

/* where in the file a column of a group is: its dictionary's page first */
struct footer_place {
	uint64_t at;
	size_t dictionary, pages;	/* bytes; 0: there is no dictionary */
};

/* a group begins, and a chunk in it, as the shape's order has them */
void footer_group(struct footer *f);
void footer_chunk(struct footer *f, const struct chunk *c,
		  const struct footer_place *place);

/* its end; at: where in the file it began.  0, or -ENOMEM */
int footer_group_end(struct footer *f, uint64_t at, uint32_t rows);

/* the footer as bytes, in place of what f knew; 0, or -ENOMEM */
int footer_make(struct footer *f, struct chain *to);

#endif
