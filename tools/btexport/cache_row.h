/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table cache: what a cache in front of each device would serve, and one in front
 * of all of them; a row for each policy and size.
 *
 * The numbers are those of btstat --cache=s3fifo: I/Os that completed, without parts
 * and the kernel's own flush requests, in blocks of 4 KiB.
 */
#ifndef TOOLS_BTEXPORT_CACHE_ROW_H
#define TOOLS_BTEXPORT_CACHE_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "cache/caches.h"
#include "cache/points.h"
#include "emit/row.h"
#include "tools/btexport/naming.h"

struct io;			/* request/io.h */
struct reader;			/* run/reader.h */

extern const struct row_table cache_rows_table;	/* tools/btexport/row_table.h */

enum { CACHE_ROW_COLUMNS = 19 };

struct cache_rows {
	struct caches caches;
	uint32_t numbers[CACHES_MAX];	/* by the device's id: of its first I/O */
	/* the next row: of a device, or of all after the last one */
	uint32_t device;
	unsigned int row;
	struct points points;	/* of the device, if row is not 0 */
	char dev[NAMING_DEV];
};

void cache_rows_init(struct cache_rows *c, const struct reader *r);

/* counts an I/O of the run; 0 or -ENOMEM */
int cache_rows_add(struct cache_rows *c, const struct io *io);

/* after the last one, before rows; 0 or -ENOMEM */
int cache_rows_end(struct cache_rows *c);

/* Stores the next row in cells, in the order of the table's columns, valid until the
 * next call; false: no more. */
bool cache_rows_next(struct cache_rows *c, struct naming *n,
		     struct cell cells[CACHE_ROW_COLUMNS]);

/* an all-zero one is fine */
void cache_rows_free(struct cache_rows *c);

#endif
