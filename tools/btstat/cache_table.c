/* SPDX-License-Identifier: GPL-2.0-only */
/* What caches would serve; see cache_table.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/buf.h"
#include "base/look.h"
#include "base/time.h"
#include "base/unit.h"
#include "cache/cache.h"
#include "emit/sink.h"
#include "emit/table.h"
#include "tools/btstat/cache_table.h"
#include "tools/btstat/screen.h"
#include "tools/btstat/tally.h"

enum {
	ROWS = 12,		/* sizes shown, at most, */
	GROUPS = 24,		/* and processes, and hours */
	TEXT = 64,
	WIDTH = 11,		/* of a share with its error */
	MILLION = 1000000
};

/* --- sizes ---------------------------------------------------------------- */

struct sizes {
	uint64_t list[ROWS];
	unsigned int count;
};

/* what text and JSON begin with */
struct shown {
	struct cache_facts facts;
	struct sizes sizes;
	char name[VALUE_MAX];
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

static void show_cache(const struct screen *s, uint32_t device,
		       const struct cache *c, struct shown *shown)
{
	cache_facts(c, &shown->facts);
	choose_sizes(&shown->sizes, c, shown->facts.touched,
		     s->tally->caches.block_bits);
	value_device(&s->values, device, shown->name);
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
		buf_printf(s->b, cache_accesses(c, CACHE_READS) ?
			   "no cache would serve a read: none is of what was"
			   " read or written before\n" :
			   "nothing is read\n");
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

/* --- what is touched ------------------------------------------------------ */

/* "1% of it has 45.0% of accesses, 10% 80.0%; 23.1% of writes are written over, ..." */
static void put_blocks(const struct screen *s, const struct blocks_facts *f)
{
	char a[UNIT_MAX], b[UNIT_MAX];

	unit_share_exact(a, f->top_1, MILLION, 1);
	unit_share_exact(b, f->top_10, MILLION, 1);
	buf_printf(s->b, "1%% of it has %s of accesses, 10%% %s", a, b);
	if (f->any_writes) {
		unit_share_exact(a, f->rewritten, MILLION, 1);
		buf_printf(s->b, "; %s of writes are written over", a);
	}
	for (int i = 0; f->rewritten && i < BLOCKS_AGES; i++) {
		unit_share_exact(a, f->within[i], MILLION, 1);
		buf_printf(s->b, "%s%s within %llus", i ? ", " : ": ", a,
			   (unsigned long long)(blocks_ages[i] /
						NS_PER_SECOND));
	}
	buf_append(s->b, "\n", 1);
}

/* the one that touched most first */
static int by_touched(const void *a, const void *b)
{
	const struct touched_row *x = a, *y = b;

	if (x->all != y->all)
		return x->all < y->all ? 1 : -1;
	return x->group < y->group ? -1 : x->group > y->group;
}

static void name_group(const struct screen *s, bool hours, uint32_t group,
		       char text[TEXT])
{
	const struct caches *c = &s->tally->caches;
	time_t seconds = (time_t)group * 3600;
	struct tm tm;

	if (!hours)
		snprintf(text, TEXT, "%s", c->names[group]);
	else if (c->has_wall && gmtime_r(&seconds, &tm))
		strftime(text, TEXT, "%Y-%m-%d %H:00", &tm);
	else
		snprintf(text, TEXT, "hour %u", group);
}

/* "~1.5M" if it is of a sample */
static void put_size(struct table *t, uint64_t bytes, bool exact)
{
	char size[UNIT_MAX], text[TEXT];

	unit_size(size, bytes);
	snprintf(text, sizeof(text), "%s%s", exact ? "" : "~", size);
	table_cell(t, text);
}

static int print_groups(const struct screen *s, const struct touched_row *rows,
			uint32_t count, bool hours, bool exact)
{
	unsigned int bits = s->tally->caches.block_bits;
	struct table t = { .column_count = 0 };
	char text[TEXT];
	int err;

	table_column(&t, (struct table_column){ hours ? "hour, UTC" : "process",
						16, true, 0 });
	table_column(&t, (struct table_column){ "touched", 8, false, 0 });
	table_column(&t, (struct table_column){ "read", 8, false, 0 });
	table_column(&t, (struct table_column){ "written", 8, false, 0 });
	for (uint32_t i = 0; i < count; i++) {
		const struct touched_row *r = &rows[i];

		name_group(s, hours, r->group, text);
		table_cell(&t, text);
		put_size(&t, r->all << bits, exact);
		put_size(&t, r->read << bits, exact);
		put_size(&t, r->written << bits, exact);
	}
	err = table_print(&t, s->b, s->look->width, true);
	table_free(&t);
	return err;
}

static int put_groups(const struct screen *s, const struct touched *t,
		      bool hours)
{
	struct touched_row *rows;
	uint32_t count;
	int err = touched_rows(t, &rows, &count);

	if (!err && (!hours || count > 1)) {
		if (!hours)
			qsort(rows, count, sizeof(*rows), by_touched);
		err = print_groups(s, rows, count < GROUPS ? count : GROUPS,
				   hours, touched_share(t) == 1);
	}
	free(rows);
	return err;
}

static int put_touched(const struct screen *s, const struct cache *c)
{
	struct blocks_facts f;
	int err = blocks_facts(cache_blocks(c), &f);

	if (err)
		return err;
	put_blocks(s, &f);
	err = put_groups(s, cache_processes(c), false);
	return err ? err : put_groups(s, cache_hours(c), true);
}

/* --- a device ------------------------------------------------------------- */

static int put_device(const struct screen *s, uint32_t device,
		      const struct cache *c)
{
	struct shown shown;
	int err;

	show_cache(s, device, c, &shown);
	buf_printf(s->b, "\n%s: ", shown.name);
	put_answer(s, c, &shown.sizes);
	put_facts(s, &shown.facts);
	err = put_sizes(s, c, &shown.sizes);
	return err ? err : put_touched(s, c);
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

static void put_blocks_data(struct sink *k, const struct blocks_facts *f)
{
	char name[TEXT];

	sink_number(k, "top_1pct_ppm", f->top_1);
	sink_number(k, "top_10pct_ppm", f->top_10);
	sink_maybe(k, "rewritten_ppm", f->any_writes, f->rewritten);
	for (int i = 0; i < BLOCKS_AGES; i++) {
		snprintf(name, sizeof(name), "rewritten_within_%llus_ppm",
			 (unsigned long long)(blocks_ages[i] /
					      NS_PER_SECOND));
		sink_maybe(k, name, f->any_writes, f->within[i]);
	}
}

/* an array of rows, each with its process or hour */
static int put_groups_data(const struct screen *s, struct sink *k,
			   const struct touched *t, bool hours)
{
	const struct caches *c = &s->tally->caches;
	struct touched_row *rows;
	uint32_t count = 0;
	int err = touched_rows(t, &rows, &count);

	sink_array(k, hours ? "hours" : "processes");
	for (uint32_t i = 0; i < count; i++) {
		sink_row(k);
		if (hours)
			sink_number(k, c->has_wall ? "start_unix_ns" : "start_ns",
				    rows[i].group * 3600 * NS_PER_SECOND);
		else
			sink_text(k, "process", c->names[rows[i].group]);
		sink_number(k, "touched_bytes",
			    rows[i].all << c->block_bits);
		sink_number(k, "read_bytes", rows[i].read << c->block_bits);
		sink_number(k, "written_bytes",
			    rows[i].written << c->block_bits);
		sink_row_end(k);
	}
	sink_array_end(k);
	free(rows);
	return err;
}

static int put_cache(const struct screen *s, struct sink *k, uint32_t device,
		     const struct cache *c)
{
	struct blocks_facts blocks;
	int err = blocks_facts(cache_blocks(c), &blocks);
	struct shown shown;

	show_cache(s, device, c, &shown);
	sink_row(k);
	sink_text(k, "disk", shown.name);
	sink_number(k, "block_bytes", 1ull << s->tally->caches.block_bits);
	sink_number(k, "blocks_per_sample", shown.facts.share);
	sink_number(k, "touched_bytes", shown.facts.touched);
	sink_number(k, "read_bytes", shown.facts.read);
	sink_number(k, "written_bytes", shown.facts.written);
	sink_array(k, "sizes");
	for (unsigned int i = 0; i < shown.sizes.count; i++)
		put_points(k, c, shown.sizes.list[i], s->tally->caches.fifo);
	sink_array_end(k);
	if (!err)
		put_blocks_data(k, &blocks);
	err |= put_groups_data(s, k, cache_processes(c), false);
	err |= put_groups_data(s, k, cache_hours(c), true);
	sink_row_end(k);
	return err ? -ENOMEM : 0;
}

int cache_table_data(const struct screen *s, struct sink *k)
{
	const struct caches *c = &s->tally->caches;
	int err = 0;

	if (!c->block_bits)
		return 0;
	sink_array(k, "caches");
	for (uint32_t i = 0; !err && i < c->count; i++)
		if (c->list[i])
			err = put_cache(s, k, i, c->list[i]);
	sink_array_end(k);
	return err;
}
