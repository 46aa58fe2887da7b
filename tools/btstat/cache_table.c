/* SPDX-License-Identifier: GPL-2.0-only */
/* What caches would serve; see cache_table.h. */
#include <stdio.h>

#include "base/buf.h"
#include "base/look.h"
#include "base/unit.h"
#include "cache/cache.h"
#include "emit/sink.h"
#include "emit/table.h"
#include "tools/btstat/cache_table.h"
#include "tools/btstat/screen.h"
#include "tools/btstat/tally.h"

enum {
	ROWS = 12,		/* sizes shown, at most */
	TEXT = 64,
	WIDTH = 11,		/* of a share with its error */
	MILLION = 1000000
};

/* --- sizes ---------------------------------------------------------------- */

struct sizes {
	uint64_t list[ROWS];
	unsigned int count;
};

static bool serves(const struct cache *c, unsigned int bits)
{
	bool any = false;

	for (int i = 0; i < CACHE_CURVES; i++)
		any |= cache_at(c, (enum cache_curve)i, 1ull << bits).served;
	return any;
}

/* Powers of two: from the largest that serves nothing, if that is among the last
 * ones, to the first with room for all blocks. */
static void choose_sizes(struct sizes *sizes, const struct cache *c,
			 uint64_t touched, unsigned int block_bits)
{
	unsigned int last = block_bits, first;

	while (last < 62 && 1ull << last < touched)
		last++;
	first = last >= block_bits + ROWS ? last - ROWS + 1 : block_bits;
	while (first < last && !serves(c, first + 1))
		first++;
	sizes->count = 0;
	for (unsigned int bits = first; bits <= last; bits++)
		sizes->list[sizes->count++] = 1ull << bits;
}

/* the first size that serves this share, in percent, of what the last one does */
static unsigned int size_for(const struct cache *c, const struct sizes *sizes,
			     unsigned int percent)
{
	unsigned int last = sizes->count - 1, i = 0;
	uint64_t most = cache_at(c, CACHE_READS, sizes->list[last]).served;

	while (i < last && 100ull * cache_at(c, CACHE_READS,
					     sizes->list[i]).served <
			   percent * most)
		i++;
	return i;
}

/* --- text ----------------------------------------------------------------- */

static void put_share(char text[TEXT], struct curve_point p)
{
	char share[UNIT_MAX], error[UNIT_MAX] = "";

	unit_share_exact(share, p.served, MILLION, 1);
	if (p.error)
		unit_share_exact(error, p.error, MILLION, 1);
	snprintf(text, TEXT, "%s%s%s", share, p.error ? " +-" : "", error);
}

/* "a cache of 4M would serve 71.0% of reads, 16M 83.0%" */
static void put_answer(const struct screen *s, const struct cache *c,
		       const struct sizes *sizes)
{
	unsigned int half = size_for(c, sizes, 50);
	unsigned int most = size_for(c, sizes, 90);
	char size[UNIT_MAX], share[TEXT];

	if (!cache_at(c, CACHE_READS, sizes->list[most]).served) {
		buf_printf(s->b, "no cache would serve a read: none is of what"
			   " was read or written before\n");
		return;
	}
	unit_round_size(size, sizes->list[half]);
	put_share(share, cache_at(c, CACHE_READS, sizes->list[half]));
	buf_printf(s->b, "a cache of %s would serve %s of reads", size, share);
	if (most > half) {
		unit_round_size(size, sizes->list[most]);
		put_share(share, cache_at(c, CACHE_READS, sizes->list[most]));
		buf_printf(s->b, ", %s %s", size, share);
	}
	buf_append(s->b, "\n", 1);
}

static void put_facts(const struct screen *s, const struct cache_facts *f)
{
	char touched[UNIT_MAX], read[UNIT_MAX], written[UNIT_MAX];
	char block[UNIT_MAX];

	unit_size(touched, f->touched);
	unit_size(read, f->read);
	unit_size(written, f->written);
	unit_round_size(block, 1ull << s->tally->caches.block_bits);
	buf_printf(s->b, "%s%s touched: %s read, %s written; LRU, blocks of %s",
		   f->share > 1 ? "about " : "", touched, read, written, block);
	if (f->share > 1)
		buf_printf(s->b, ", one of %llu followed",
			   (unsigned long long)f->share);
	buf_append(s->b, "\n", 1);
}

/* a cell for each curve */
static void put_curves(struct table *t, const struct cache *c, uint64_t size,
		       bool fifo)
{
	struct curve_point p;
	char text[TEXT];
	bool known = true;

	for (int k = 0; k < CACHE_CURVES; k++) {
		enum cache_curve curve = (enum cache_curve)k;

		if (fifo)
			known = cache_fifo_at(c, curve, size, &p);
		else
			p = cache_at(c, curve, size);
		if (known)
			put_share(text, p);
		table_cell(t, known && cache_accesses(c, curve) ? text : "-");
	}
}

static void put_headings(struct table *t, bool fifo)
{
	static const char *const headings[2][CACHE_CURVES] = {
		{ [CACHE_READS] = "reads", [CACHE_WRITES] = "writes",
		  [CACHE_SAVED] = "saved" },
		{ [CACHE_READS] = "s3fifo", [CACHE_WRITES] = "writes",
		  [CACHE_SAVED] = "saved" },
	};

	for (int i = 0; i < CACHE_CURVES; i++)
		table_column(t, (struct table_column){ headings[fifo][i], WIDTH,
						       false, 0 });
}

static int put_sizes(const struct screen *s, const struct cache *c,
		     const struct sizes *sizes)
{
	struct table t = { .column_count = 0 };
	bool fifo = s->tally->caches.fifo;
	char text[TEXT];
	int err;

	table_column(&t, (struct table_column){ "size", 6, false, 0 });
	put_headings(&t, false);
	if (fifo)
		put_headings(&t, true);
	for (unsigned int i = 0; i < sizes->count; i++) {
		unit_round_size(text, sizes->list[i]);
		table_cell(&t, text);
		put_curves(&t, c, sizes->list[i], false);
		if (fifo)
			put_curves(&t, c, sizes->list[i], true);
	}
	err = table_print(&t, s->b, s->look->width, true);
	table_free(&t);
	return err;
}

static int put_device(const struct screen *s, uint32_t device,
		      const struct cache *c)
{
	struct cache_facts f;
	struct sizes sizes;
	char name[VALUE_MAX];

	cache_facts(c, &f);
	choose_sizes(&sizes, c, f.touched, s->tally->caches.block_bits);
	value_device(&s->values, device, name);
	buf_printf(s->b, "\n%s: ", name);
	put_answer(s, c, &sizes);
	put_facts(s, &f);
	return put_sizes(s, c, &sizes);
}

int cache_table(const struct screen *s)
{
	const struct caches *c = &s->tally->caches;
	int err = 0;

	for (uint32_t i = 0; i < c->count; i++)
		if (c->list[i])
			err |= put_device(s, i, c->list[i]);
	return err;
}

/* --- JSON ----------------------------------------------------------------- */

static void put_points(struct sink *k, const struct cache *c, uint64_t size,
		       bool fifo)
{
	static const char *const names[CACHE_CURVES][4] = {
		[CACHE_READS] = { "reads_ppm", "reads_error_ppm",
				  "s3fifo_reads_ppm",
				  "s3fifo_reads_error_ppm" },
		[CACHE_WRITES] = { "writes_ppm", "writes_error_ppm",
				   "s3fifo_writes_ppm",
				   "s3fifo_writes_error_ppm" },
		[CACHE_SAVED] = { "saved_ppm", "saved_error_ppm",
				  "s3fifo_saved_ppm",
				  "s3fifo_saved_error_ppm" },
	};

	sink_row(k);
	sink_number(k, "bytes", size);
	for (int i = 0; i < CACHE_CURVES; i++) {
		enum cache_curve curve = (enum cache_curve)i;
		bool known = cache_accesses(c, curve);
		struct curve_point p = cache_at(c, curve, size);

		sink_maybe(k, names[i][0], known, p.served);
		sink_maybe(k, names[i][1], known, p.error);
		if (!fifo)
			continue;
		known &= cache_fifo_at(c, curve, size, &p);
		sink_maybe(k, names[i][2], known, p.served);
		sink_maybe(k, names[i][3], known, p.error);
	}
	sink_row_end(k);
}

static void put_cache(const struct screen *s, struct sink *k, uint32_t device,
		      const struct cache *c)
{
	struct cache_facts f;
	struct sizes sizes;
	char name[VALUE_MAX];

	cache_facts(c, &f);
	choose_sizes(&sizes, c, f.touched, s->tally->caches.block_bits);
	value_device(&s->values, device, name);
	sink_row(k);
	sink_text(k, "disk", name);
	sink_number(k, "block_bytes", 1ull << s->tally->caches.block_bits);
	sink_number(k, "blocks_per_sample", f.share);
	sink_number(k, "touched_bytes", f.touched);
	sink_number(k, "read_bytes", f.read);
	sink_number(k, "written_bytes", f.written);
	sink_array(k, "sizes");
	for (unsigned int i = 0; i < sizes.count; i++)
		put_points(k, c, sizes.list[i], s->tally->caches.fifo);
	sink_array_end(k);
	sink_row_end(k);
}

void cache_table_data(const struct screen *s, struct sink *k)
{
	const struct caches *c = &s->tally->caches;

	if (!c->block_bits)
		return;
	sink_array(k, "caches");
	for (uint32_t i = 0; i < c->count; i++)
		if (c->list[i])
			put_cache(s, k, i, c->list[i]);
	sink_array_end(k);
}
