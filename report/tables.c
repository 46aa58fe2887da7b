/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables of a report; see tables.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hint.h"
#include "base/radix.h"
#include "report/report.h"
#include "report/tables.h"

const uint32_t report_percentiles[REPORT_PERCENTILES] = {
	50 * HISTOGRAM_PERCENT, 90 * HISTOGRAM_PERCENT, 99 * HISTOGRAM_PERCENT,
	99 * HISTOGRAM_PERCENT + 900,
};

/* a row that something is not in */
#define NOWHERE UINT32_MAX

void report_tables_free(struct report_tables *t)
{
	for (unsigned int i = 0; i < REPORT_TABLES; i++) {
		for (uint32_t j = 0; j < t->of[i].count; j++)
			report_sums_free(&t->of[i].rows[j].sums);
		free(t->of[i].rows);
		t->of[i] = (struct report_table){ .rows = NULL };
	}
}

/* --- keys of rows --------------------------------------------------------- */

static bool counts(const struct report *r, enum report_table_kind kind,
		   const struct report_stream *s)
{
	if (kind != REPORT_BY_DISK && !r->disks.list[s->disk].on)
		return false;
	return kind == REPORT_BY_OP || s->op != REPORT_FLUSH;
}

static uint64_t key_of(enum report_table_kind kind,
		       const struct report_stream *s)
{
	switch (kind) {
	case REPORT_BY_OP:
		return s->op;
	case REPORT_BY_PROCESS:
		return s->process;
	case REPORT_BY_DISK:
		return s->disk;
	default:
		return 0;
	}
}

/* the row of that key, or where it would be */
static uint32_t place_of(const struct report_table *t, uint64_t key)
{
	uint32_t low = 0, high = t->count;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (t->rows[middle].key < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static uint32_t find(const struct report_table *t, uint64_t key)
{
	uint32_t at = place_of(t, key);

	return at < t->count && t->rows[at].key == key ? at : NOWHERE;
}

static int add_key(struct report_table *t, uint64_t key)
{
	uint32_t at = place_of(t, key);
	struct report_table_row *rows;

	if (at < t->count && t->rows[at].key == key)
		return 0;
	rows = realloc(t->rows, (t->count + 1) * sizeof(*rows));
	if (!rows)
		return -ENOMEM;
	t->rows = rows;
	memmove(rows + at + 1, rows + at, (t->count - at) * sizeof(*rows));
	rows[at] = (struct report_table_row){ .key = key };
	t->count++;
	return 0;
}

/* all has its row, though nothing may be in it */
static int add_stream_keys(struct report_tables *t, const struct report *r)
{
	int err = add_key(&t->of[REPORT_ALL], 0);

	for (unsigned int kind = 0; kind < REPORT_BY_CGROUP; kind++)
		for (uint32_t i = 0; !err && i < r->folding.count; i++)
			if (counts(r, kind, &r->folding.list[i]))
				err = add_key(&t->of[kind], key_of(kind,
						&r->folding.list[i]));
	return err;
}

static int add_cgroup_keys(struct report_table *t, const struct report *r)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < r->cgroup_count; i++)
		if (r->disks.list[r->cgroups[i].disk].on)
			err = add_key(t, r->cgroups[i].id);
	for (size_t i = 0; !err && r->grouped && i < r->rows.count; i++) {
		const struct report_row *row = &r->rows.list[i];

		if (row->cgroup && t->count < REPORT_CGROUPS &&
		    counts(r, REPORT_BY_CGROUP,
			   &r->folding.list[row->stream]))
			err = add_key(t, row->cgroup);
	}
	return err;
}

/* --- sums ----------------------------------------------------------------- */

/* which row of each table a stream is in */
struct places {
	uint32_t of[REPORT_BY_CGROUP];
};

static struct places *find_places(const struct report_tables *t,
				  const struct report *r)
{
	struct places *p = calloc(r->folding.count + 1, sizeof(*p));

	for (uint32_t i = 0; p && i < r->folding.count; i++)
		for (unsigned int kind = 0; kind < REPORT_BY_CGROUP; kind++)
			p[i].of[kind] =
				counts(r, kind, &r->folding.list[i]) ?
				find(&t->of[kind], key_of(kind,
						&r->folding.list[i])) :
				NOWHERE;
	return p;
}

/* of a row what has sums: the table's place of it */
static uint32_t row_place(const struct report_tables *t, const struct report *r,
			  const struct places *p, unsigned int kind,
			  const struct report_row *row)
{
	if (kind != REPORT_BY_CGROUP)
		return p[row->stream].of[kind];
	if (!row->cgroup || !counts(r, kind, &r->folding.list[row->stream]))
		return NOWHERE;
	return find(&t->of[kind], row->cgroup);
}

/* the sums of streams, of rows; the caller frees them */
static struct report_sums *sum_rows(const struct report *r, int *err)
{
	struct report_sums *sums = calloc(r->folding.count + 1, sizeof(*sums));

	*err = sums ? 0 : -ENOMEM;
	for (size_t i = 0; !*err && i < r->rows.count; i++) {
		const struct report_row *row = &r->rows.list[i];
		struct report_times times;

		if (!report_row_ended(row))
			continue;
		report_row_times(&times, row);
		*err = report_sums_add(&sums[row->stream], row, &times);
	}
	return sums;
}

static int sum_cgroups_of_rows(struct report_tables *t, const struct report *r)
{
	struct report_table *by_cgroup = &t->of[REPORT_BY_CGROUP];
	int err = 0;

	for (size_t i = 0; !err && by_cgroup->count && i < r->rows.count; i++) {
		const struct report_row *row = &r->rows.list[i];
		uint32_t at = row_place(t, r, NULL, REPORT_BY_CGROUP, row);
		struct report_times times;

		if (at == NOWHERE || !report_row_ended(row))
			continue;
		report_row_times(&times, row);
		err = report_sums_add(&by_cgroup->rows[at].sums, row, &times);
	}
	return err;
}

static int merge_streams(struct report_tables *t, const struct report *r,
			 const struct places *p,
			 const struct report_sums *sums)
{
	int err = 0;

	for (uint32_t i = 0; i < r->folding.count; i++)
		for (unsigned int kind = 0; kind < REPORT_BY_CGROUP; kind++)
			if (p[i].of[kind] != NOWHERE)
				err |= report_sums_merge(
					&t->of[kind].rows[p[i].of[kind]].sums,
					&sums[i]);
	return err;
}

static int merge_cgroups(struct report_table *t, const struct report *r)
{
	int err = 0;

	for (uint32_t i = 0; i < r->cgroup_count; i++) {
		const struct report_cgroup *c = &r->cgroups[i];

		if (r->disks.list[c->disk].on)
			err |= report_sums_merge(
				&t->rows[find(t, c->id)].sums, &c->sums);
	}
	return err;
}

static int make_sums(struct report_tables *t, const struct report *r,
		     const struct places *p)
{
	struct report_sums *sums;
	int err;

	if (!r->kept)
		return merge_streams(t, r, p, r->sums) |
		       merge_cgroups(&t->of[REPORT_BY_CGROUP], r);
	sums = sum_rows(r, &err);
	if (!err)
		err = merge_streams(t, r, p, sums) | sum_cgroups_of_rows(t, r);
	for (uint32_t i = 0; sums && i < r->folding.count; i++)
		report_sums_free(&sums[i]);
	free(sums);
	return err;
}

static void count_bytes(struct report_tables *t)
{
	for (unsigned int kind = 0; kind < REPORT_TABLES; kind++)
		for (uint32_t i = 0; i < t->of[kind].count; i++) {
			struct report_table_row *row = &t->of[kind].rows[i];
			const struct report_sums *s = &row->sums;
			bool all = kind == REPORT_BY_OP;

			row->bytes = (all ? s->blocks : s->data_blocks) << 9;
			row->bytes_ios = all ? s->count : s->data_count;
		}
}

static void add_sequential(struct report_table *t, uint64_t key, uint64_t n)
{
	uint32_t at = find(t, key);

	if (at == NOWHERE)
		return;
	t->rows[at].sequential += n;
	t->rows[at].has_sequential = true;
}

static void count_sequential(struct report_tables *t, const struct report *r)
{
	for (uint32_t disk = 0; disk < r->disks.count; disk++)
		for (uint8_t op = 0; op < REPORT_OPS; op++) {
			uint64_t n = r->runs[disk][op].sequential;

			add_sequential(&t->of[REPORT_BY_DISK], disk, n);
			if (!r->disks.list[disk].on)
				continue;
			add_sequential(&t->of[REPORT_BY_OP], op, n);
			add_sequential(&t->of[REPORT_ALL], 0, n);
		}
}

/* --- percentiles ---------------------------------------------------------- */

static void row_from_cells(struct report_table_row *row)
{
	for (unsigned int s = 0; s < REPORT_SPANS; s++) {
		const struct histogram *h = &row->sums.spans[s];

		for (unsigned int p = 0; p < REPORT_PERCENTILES; p++)
			row->percentiles[s][p] = histogram_kth(h,
				histogram_rank(h->count,
					       report_percentiles[p]));
	}
}

static void from_cells(struct report_tables *t)
{
	for (unsigned int kind = 0; kind < REPORT_TABLES; kind++)
		for (uint32_t i = 0; i < t->of[kind].count; i++)
			row_from_cells(&t->of[kind].rows[i]);
}

/*
 * Exact ones are in the cells that the histograms have them in, as the first,
 * second... of these: only spans in such cells are sorted.
 */
struct goal {
	uint32_t cell;
	uint64_t place;		/* in it, from 1 on */
};

/* how far the spans of a row of a table have come, in order */
struct progress {
	struct goal goals[REPORT_PERCENTILES];
	unsigned int next;	/* of these, or REPORT_PERCENTILES: no more */
	uint64_t seen;		/* in its cell */
};

static void set_goals(struct progress *p, const struct histogram *h)
{
	*p = (struct progress){ .next = h->count ? 0 : REPORT_PERCENTILES };
	for (unsigned int i = p->next; i < REPORT_PERCENTILES; i++) {
		struct goal *goal = &p->goals[i];

		goal->cell = histogram_find_kth(h,
			histogram_rank(h->count, report_percentiles[i]),
			&goal->place);
	}
}

/* one of the rows of each table, as places: no table has more */
enum { ROWS_MAX = REPORT_STREAMS_ALL + REPORT_CGROUPS };

/* what finds percentiles of a span */
struct search {
	struct progress rows[REPORT_TABLES][ROWS_MAX];
	bool wanted[HISTOGRAM_CELLS];	/* by a row */
	struct radix_item *list, *spare;
};

static void start_search(struct search *s, const struct report_tables *t,
			 unsigned int span)
{
	memset(s->wanted, 0, sizeof(s->wanted));
	for (unsigned int kind = 0; kind < REPORT_TABLES; kind++)
		for (uint32_t i = 0; i < t->of[kind].count; i++) {
			struct progress *p = &s->rows[kind][i];

			set_goals(p, &t->of[kind].rows[i].sums.spans[span]);
			for (unsigned int j = p->next; j < REPORT_PERCENTILES;
			     j++)
				s->wanted[p->goals[j].cell] = true;
		}
}

/* The next span in order is one of this row's. */
static inline void reach(struct progress *p, uint64_t *percentiles,
			 uint64_t ns)
{
	uint32_t cell = histogram_cell(ns);

	if (p->next == REPORT_PERCENTILES || p->goals[p->next].cell != cell)
		return;
	p->seen++;
	while (p->next < REPORT_PERCENTILES &&
	       p->goals[p->next].cell == cell &&
	       p->goals[p->next].place == p->seen)
		percentiles[p->next++] = ns;
	if (p->next < REPORT_PERCENTILES && p->goals[p->next].cell != cell)
		p->seen = 0;
}

/* A percentile is where as many have been seen as its rank says. */
static void walk(struct search *s, struct report_tables *t,
		 const struct report *r, const struct places *p,
		 unsigned int kind, unsigned int span,
		 const struct radix_item *list, size_t n)
{
	struct report_table *table = &t->of[kind];

	for (size_t i = 0; table->count && i < n; i++) {
		uint32_t at = row_place(t, r, p, kind,
					&r->rows.list[list[i].index]);

		if (at != NOWHERE)
			reach(&s->rows[kind][at],
			      table->rows[at].percentiles[span], list[i].key);
	}
}

/* Those in wanted cells.  Compilers make a loop for each span. */
static INLINED size_t list_span(struct search *s, const struct report *r,
				enum report_span span)
{
	size_t n = 0;
	uint64_t ns;

	for (size_t i = 0; i < r->rows.count; i++) {
		const struct report_row *row = &r->rows.list[i];

		if (report_row_ended(row) && report_row_span(row, span, &ns) &&
		    s->wanted[histogram_cell(ns)])
			s->list[n++] = (struct radix_item){
				.key = ns,
				.index = (uint32_t)i,
			};
	}
	return n;
}

static size_t list_spans(struct search *s, const struct report *r,
			 enum report_span span)
{
	switch (span) {
	case REPORT_Q2C: return list_span(s, r, REPORT_Q2C);
	case REPORT_D2C: return list_span(s, r, REPORT_D2C);
	default: return list_span(s, r, REPORT_Q2D);
	}
}

static void search_free(struct search *s)
{
	free(s->list);
	free(s->spare);
	free(s);
}

static struct search *search_new(const struct report *r)
{
	struct search *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->list = array_resize(NULL, r->rows.count + 1, sizeof(*s->list));
	s->spare = array_resize(NULL, r->rows.count + 1, sizeof(*s->spare));
	if (s->list && s->spare)
		return s;
	search_free(s);
	return NULL;
}

static int from_rows(struct report_tables *t, const struct report *r,
		     const struct places *p)
{
	struct search *s = search_new(r);

	if (!s)
		return -ENOMEM;
	for (unsigned int span = 0; span < REPORT_SPANS; span++) {
		const struct radix_item *sorted;
		size_t n;

		start_search(s, t, span);
		n = list_spans(s, r, span);
		sorted = radix_sort(s->list, s->spare, n);
		for (unsigned int kind = 0; kind < REPORT_TABLES; kind++)
			walk(s, t, r, p, kind, span, sorted, n);
	}
	search_free(s);
	return 0;
}

int report_tables_make(struct report_tables *t, const struct report *r)
{
	struct places *p;
	int err;

	*t = (struct report_tables){ .exact = r->kept };
	err = add_stream_keys(t, r);
	if (!err)
		err = add_cgroup_keys(&t->of[REPORT_BY_CGROUP], r);
	if (err)
		return err;
	p = find_places(t, r);
	if (!p)
		return -ENOMEM;
	err = make_sums(t, r, p);
	count_bytes(t);
	count_sequential(t, r);
	if (!err && r->kept)
		err = from_rows(t, r, p);
	else
		from_cells(t);
	free(p);
	return err ? -ENOMEM : 0;
}
