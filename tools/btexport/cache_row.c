/* SPDX-License-Identifier: GPL-2.0-only */
/* The table cache; see cache_row.h. */
#include "cache/cache.h"
#include "expr/filter.h"
#include "request/io.h"
#include "run/device.h"
#include "run/reader.h"
#include "tools/btexport/cache_row.h"
#include "tools/btexport/row_table.h"

enum { BLOCK_BITS = 12, SHARES = 13 };	/* SHARES: the first column of a curve */

static const struct column columns[CACHE_ROW_COLUMNS] = {
	{ "host", COLUMN_TEXT, true, "",
	  "the machine: its directory's name, or its own; null: of all disks, as"
	  " trace, disk and dev" },
	{ "trace", COLUMN_TEXT, true, "", "as in ios" },
	{ "disk", COLUMN_TEXT, true, "", "as in ios" },
	{ "dev", COLUMN_TEXT, true, "", "as in ios" },
	{ "policy", COLUMN_TEXT, false, "",
	  "which blocks the cache keeps: lru, the last accessed; s3fifo, those"
	  " accessed again soon" },
	{ "cache_bytes", COLUMN_INT64, false, "bytes", "the cache's size" },
	{ "block_bytes", COLUMN_INT64, false, "bytes", "the size of its blocks" },
	{ "blocks_per_sample", COLUMN_INT64, false, "",
	  "blocks for each that is followed; 1: numbers of lru are exact" },
	{ "touched_bytes", COLUMN_INT64, false, "bytes",
	  "of different blocks that were read or written" },
	{ "read_bytes", COLUMN_INT64, false, "bytes", "of those that were read" },
	{ "written_bytes", COLUMN_INT64, false, "bytes",
	  "of those that were written" },
	{ "reads", COLUMN_INT64, false, "", "blocks read, each time" },
	{ "writes", COLUMN_INT64, false, "", "blocks written, each time" },
	{ "reads_ppm", COLUMN_INT64, true, "ppm",
	  "the share of reads that it serves; null: there are none" },
	{ "reads_error_ppm", COLUMN_INT64, true, "ppm",
	  "by which that is off once in 20 times" },
	{ "writes_ppm", COLUMN_INT64, true, "ppm",
	  "the share of writes to blocks that it has" },
	{ "writes_error_ppm", COLUMN_INT64, true, "ppm", "the same" },
	{ "saved_ppm", COLUMN_INT64, true, "ppm",
	  "the share of writes that it never passes on, if it writes back:"
	  " overwritten or discarded while it has them" },
	{ "saved_error_ppm", COLUMN_INT64, true, "ppm", "the same" },
};

_Static_assert(SHARES + 2 * CACHE_CURVES == CACHE_ROW_COLUMNS,
	       "each curve has a share and its error");

const struct row_table cache_rows_table = {
	.name = "cache",
	.words = "what a cache of a size would serve, of a disk or of all",
	.first = columns,
	.step = sizeof(*columns),
	.count = CACHE_ROW_COLUMNS,
	.sums = { "reads", "writes" },
};

void cache_rows_init(struct cache_rows *c, const struct reader *r)
{
	*c = (struct cache_rows){
		.caches = { .block_bits = BLOCK_BITS, .fifo = true,
			    .reader = r },
	};
	caches_init(&c->caches);
}

int cache_rows_add(struct cache_rows *c, const struct io *io)
{
	uint32_t id = io->disk->id;

	if (!io_completed(io) || !filter_is_unit(false, io))
		return 0;
	if (id < CACHES_MAX && !c->numbers[id])
		c->numbers[id] = io->device;
	return caches_add(&c->caches, io);
}

int cache_rows_end(struct cache_rows *c)
{
	return caches_end(&c->caches);
}

/* --- rows ----------------------------------------------------------------- */

static void put_disk(struct cache_rows *c, struct naming *n, struct cell *cells)
{
	const struct devices *d = reader_devices(c->caches.reader);
	const struct device *device;

	if (c->device >= c->caches.count) {
		for (int i = 0; i < 4; i++)
			cells[i] = cell_text(NULL);
		return;
	}
	device = d->list[c->device];
	cells[0] = *naming_host(n, device->origin);
	cells[1] = *naming_trace(n, device->origin);
	cells[2] = *naming_disk(n, device, c->numbers[c->device]);
	cells[3] = (struct cell){ .text = c->dev,
				  .len = naming_dev(c->dev,
						    c->numbers[c->device]) };
}

static void put_shares(const struct points *p, const struct cache_point *at,
		       enum cache_policy policy, struct cell *cells)
{
	for (int i = 0; i < CACHE_CURVES; i++) {
		bool known = at->known[policy] && p->accesses[i];

		cells[2 * i] = cell_number(at->at[policy][i].served);
		cells[2 * i + 1] = cell_number(at->at[policy][i].error);
		cells[2 * i].null = cells[2 * i + 1].null = !known;
	}
}

static void put_row(struct cache_rows *c, struct naming *n,
		    const struct cache_point *at, enum cache_policy policy,
		    struct cell *cells)
{
	const struct cache_facts *f = &c->points.facts;

	put_disk(c, n, cells);
	cells[4] = cell_text(points_policy_name(policy));
	cells[5] = cell_number(at->bytes);
	cells[6] = cell_number(1ull << BLOCK_BITS);
	cells[7] = cell_number(f->share);
	cells[8] = cell_number(f->touched);
	cells[9] = cell_number(f->read);
	cells[10] = cell_number(f->written);
	cells[11] = cell_number(c->points.accesses[CACHE_READS]);
	cells[12] = cell_number(c->points.accesses[CACHE_WRITES]);
	put_shares(&c->points, at, policy, cells + SHARES);
}

/* the cache of the next row; NULL: no more */
static const struct cache *next_cache(struct cache_rows *c)
{
	while (c->device < c->caches.count && !c->caches.list[c->device])
		c->device++;
	if (c->device < c->caches.count)
		return c->caches.list[c->device];
	return c->device == c->caches.count ? c->caches.all : NULL;
}

/* the next size and policy of a cache; NULL: no more */
static const struct cache_point *next_point(struct cache_rows *c,
					    enum cache_policy *policy)
{
	while (c->row < CACHE_POLICIES * c->points.count) {
		const struct cache_point *at =
			&c->points.list[c->row % c->points.count];

		*policy = (enum cache_policy)(c->row++ / c->points.count);
		if (at->known[*policy])
			return at;
	}
	return NULL;
}

bool cache_rows_next(struct cache_rows *c, struct naming *n,
		     struct cell cells[CACHE_ROW_COLUMNS])
{
	const struct cache *cache;

	for (; (cache = next_cache(c)); c->device++, c->row = 0) {
		const struct cache_point *at;
		enum cache_policy policy;

		if (!c->row)
			points_find(&c->points, cache);
		at = next_point(c, &policy);
		if (!at)
			continue;
		put_row(c, n, at, policy, cells);
		return true;
	}
	return false;
}

void cache_rows_free(struct cache_rows *c)
{
	caches_free(&c->caches);
}
