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
#include "cache/caches.h"
#include "cache/points.h"
#include "emit/sink.h"
#include "emit/table.h"
#include "tools/btstat/cache_table.h"
#include "tools/btstat/screen.h"
#include "tools/btstat/tally.h"

enum {
	GROUPS = 24,		/* processes shown, and hours */
	TEXT = 64,
	WIDTH = 11,		/* of a share with its error */
	MILLION = 1000000
};

/* --- text ----------------------------------------------------------------- */

static void put_share(char text[TEXT], struct curve_point p)
{
	char share[UNIT_MAX], error[UNIT_MAX] = "";

	unit_share_exact(share, p.served, MILLION, 1);
	if (p.error)
		unit_share_exact(error, p.error, MILLION, 1);
	snprintf(text, TEXT, "%s%s%s", share, p.error ? " +-" : "", error);
}

/* "4M would serve 71.0%" */
static void put_size_share(const struct screen *s, const char *before,
			   const struct cache_point *p, const char *between)
{
	char size[UNIT_MAX], share[TEXT];

	unit_round_size(size, p->bytes);
	put_share(share, p->at[CACHE_LRU][CACHE_READS]);
	buf_printf(s->b, "%s%s %s%s", before, size, between, share);
}

/* "a cache of 4M would serve 71.0% of reads, 16M 83.0%" */
static void put_answer(const struct screen *s, const struct points *p)
{
	if (!points_serve_reads(p)) {
		buf_printf(s->b, p->accesses[CACHE_READS] ?
			   "no cache would serve a read: none is of what was"
			   " read or written before\n" :
			   "nothing is read\n");
		return;
	}
	put_size_share(s, "a cache of ", &p->list[p->half], "would serve ");
	buf_printf(s->b, " of reads");
	if (p->most > p->half)
		put_size_share(s, ", ", &p->list[p->most], "");
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
static void put_curves(struct table *t, const struct points *p,
		       const struct cache_point *at, enum cache_policy policy)
{
	char text[TEXT];

	for (int i = 0; i < CACHE_CURVES; i++) {
		put_share(text, at->at[policy][i]);
		table_cell(t, at->known[policy] && p->accesses[i] ? text : "-");
	}
}

static void put_headings(struct table *t, enum cache_policy policy)
{
	for (int i = 0; i < CACHE_CURVES; i++)
		table_column(t, (struct table_column){
			policy && i == CACHE_READS ? points_policy_name(policy) :
			points_curve_name((enum cache_curve)i), WIDTH, false, 0
		});
}

static int put_sizes(const struct screen *s, const struct points *p)
{
	int policies = s->tally->caches.fifo ? CACHE_POLICIES : CACHE_LRU + 1;
	struct table t = { .column_count = 0 };
	char text[TEXT];
	int err;

	table_column(&t, (struct table_column){ "size", 6, false, 0 });
	for (int k = 0; k < policies; k++)
		put_headings(&t, (enum cache_policy)k);
	for (unsigned int i = 0; i < p->count; i++) {
		unit_round_size(text, p->list[i].bytes);
		table_cell(&t, text);
		for (int k = 0; k < policies; k++)
			put_curves(&t, p, &p->list[i], (enum cache_policy)k);
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
		buf_printf(s->b, "; %s of writes are written over or discarded",
			   a);
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
	uint64_t hour = caches_hour(c, group);
	time_t seconds = (time_t)(hour * 3600);
	struct tm tm;

	if (!hours)
		snprintf(text, TEXT, "%s", c->names[group]);
	else if (c->has_wall && gmtime_r(&seconds, &tm))
		strftime(text, TEXT, "%Y-%m-%d %H:00", &tm);
	else
		snprintf(text, TEXT, "hour %llu", (unsigned long long)hour);
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
	int err = touched_rows(t, hours ? TOUCHED_HOUR : TOUCHED_PROCESS, &rows,
			       &count);

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
	err = put_groups(s, cache_touched(c), false);
	return err ? err : put_groups(s, cache_touched(c), true);
}

/* --- a cache -------------------------------------------------------------- */

static int put_cache(const struct screen *s, const char *name,
		     const struct cache *c)
{
	struct points p;
	int err;

	points_find(&p, c);
	buf_printf(s->b, "\n%s: ", name);
	put_answer(s, &p);
	put_facts(s, &p.facts);
	err = put_sizes(s, &p);
	return err || !cache_blocks(c) ? err : put_touched(s, c);
}

int cache_table(const struct screen *s)
{
	const struct caches *c = &s->tally->caches;
	char name[VALUE_MAX];
	int err = 0;

	for (uint32_t i = 0; i < c->count; i++) {
		value_device(&s->values, i, name);
		if (c->list[i])
			err |= put_cache(s, name, c->list[i]);
	}
	return err | (c->all ? put_cache(s, "all disks", c->all) : 0);
}

/* --- JSON ----------------------------------------------------------------- */

static void put_point(struct sink *k, const struct points *p,
		      const struct cache_point *at, enum cache_policy policy)
{
	static const char *const names[CACHE_POLICIES][CACHE_CURVES][2] = {
		{ [CACHE_READS] = { "reads_ppm", "reads_error_ppm" },
		  [CACHE_WRITES] = { "writes_ppm", "writes_error_ppm" },
		  [CACHE_SAVED] = { "saved_ppm", "saved_error_ppm" } },
		{ [CACHE_READS] = { "s3fifo_reads_ppm",
				    "s3fifo_reads_error_ppm" },
		  [CACHE_WRITES] = { "s3fifo_writes_ppm",
				     "s3fifo_writes_error_ppm" },
		  [CACHE_SAVED] = { "s3fifo_saved_ppm",
				    "s3fifo_saved_error_ppm" } },
	};

	for (int i = 0; i < CACHE_CURVES; i++) {
		bool known = at->known[policy] && p->accesses[i];

		sink_maybe(k, names[policy][i][0], known,
			   at->at[policy][i].served);
		sink_maybe(k, names[policy][i][1], known,
			   at->at[policy][i].error);
	}
}

static void put_points(struct sink *k, const struct points *p, bool fifo)
{
	sink_array(k, "sizes");
	for (unsigned int i = 0; i < p->count; i++) {
		sink_row(k);
		sink_number(k, "bytes", p->list[i].bytes);
		put_point(k, p, &p->list[i], CACHE_LRU);
		if (fifo)
			put_point(k, p, &p->list[i], CACHE_S3FIFO);
		sink_row_end(k);
	}
	sink_array_end(k);
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
	int err = touched_rows(t, hours ? TOUCHED_HOUR : TOUCHED_PROCESS, &rows,
			       &count);

	sink_array(k, hours ? "hours" : "processes");
	for (uint32_t i = 0; i < count; i++) {
		sink_row(k);
		if (hours)
			sink_number(k, c->has_wall ? "start_unix_ns" : "start_ns",
				    caches_hour(c, rows[i].group) * 3600 *
				    NS_PER_SECOND);
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

static int put_history(const struct screen *s, struct sink *k,
		       const struct cache *c)
{
	struct blocks_facts blocks;
	int err = blocks_facts(cache_blocks(c), &blocks);

	if (err)
		return err;
	put_blocks_data(k, &blocks);
	err = put_groups_data(s, k, cache_touched(c), false);
	return err | put_groups_data(s, k, cache_touched(c), true);
}

/* name: NULL: of all disks */
static int put_cache_data(const struct screen *s, struct sink *k,
			  const char *name, const struct cache *c)
{
	struct points p;
	int err = 0;

	points_find(&p, c);
	sink_row(k);
	if (name)
		sink_text(k, "disk", name);
	sink_number(k, "block_bytes", 1ull << s->tally->caches.block_bits);
	sink_number(k, "blocks_per_sample", p.facts.share);
	sink_number(k, "touched_bytes", p.facts.touched);
	sink_number(k, "read_bytes", p.facts.read);
	sink_number(k, "written_bytes", p.facts.written);
	put_points(k, &p, s->tally->caches.fifo);
	if (name)
		err = put_history(s, k, c);
	sink_row_end(k);
	return err;
}

int cache_table_data(const struct screen *s, struct sink *k)
{
	const struct caches *c = &s->tally->caches;
	char name[VALUE_MAX];
	int err = 0;

	if (!c->block_bits)
		return 0;
	sink_array(k, "caches");
	for (uint32_t i = 0; !err && i < c->count; i++) {
		value_device(&s->values, i, name);
		if (c->list[i])
			err = put_cache_data(s, k, name, c->list[i]);
	}
	sink_array_end(k);
	sink_array(k, "cache_of_all");
	if (!err && c->all)
		err = put_cache_data(s, k, NULL, c->all);
	sink_array_end(k);
	return err;
}
