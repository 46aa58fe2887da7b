/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The footer of a Parquet file: its columns, and for each column of each row
 * group its offset and its lowest and highest value.
 *
 * Only the footer's memory grows with the file: 5 KiB per group of 61 columns.
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
	bool packed;		/* pages are gzip'd, but for bare chunks */
	unsigned int schema;	/* the schema's version */
	struct chain groups;	/* encoded */
	struct thrift thrift;	/* of the current group */
	uint32_t group_count;
	int64_t rows;		/* of all groups */
	uint64_t plain, stored;	/* bytes of the current group: unpacked, and
				 * in the file */
};

/* a column of a group in the file, its dictionary's page first */
struct footer_place {
	uint64_t at;		/* offset */
	size_t dictionary, pages;	/* bytes; 0: no dictionary */
};

/* starts a group, and a chunk in it, in the order of the shape */
void footer_group(struct footer *f);
void footer_chunk(struct footer *f, const struct chunk *c,
		  const struct footer_place *place);

/* ends the group, which starts at this offset; 0 or -ENOMEM */
int footer_group_end(struct footer *f, uint64_t at, uint32_t rows);

/* appends the footer to a chain, and empties f; 0 or -ENOMEM */
int footer_make(struct footer *f, struct chain *to);

#endif
