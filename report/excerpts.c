/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows around what matters most; see excerpts.h. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hint.h"
#include "base/radix.h"
#include "report/row.h"
#include "report/excerpts.h"

/* --- slowest -------------------------------------------------------------- */

/* whether a leaves before b: it is shorter, or as long and later */
static bool before(const struct report_slow *a, const struct report_slow *b)
{
	return a->ns != b->ns ? a->ns < b->ns : a->row.id > b->row.id;
}

/* puts one to the free place at, or further up */
static void rise(struct report_slowest *s, unsigned int at,
		 const struct report_slow *one)
{
	for (; at && before(one, &s->list[(at - 1) / 2]); at = (at - 1) / 2)
		s->list[at] = s->list[(at - 1) / 2];
	s->list[at] = *one;
}

/* puts one to the first place, or further down */
static void sink_down(struct report_slowest *s, const struct report_slow *one)
{
	unsigned int at = 0, next;

	for (; (next = 2 * at + 1) < s->count; at = next) {
		if (next + 1 < s->count &&
		    before(&s->list[next + 1], &s->list[next]))
			next++;
		if (!before(&s->list[next], one))
			break;
		s->list[at] = s->list[next];
	}
	s->list[at] = *one;
}

void report_slowest_put(struct report_slowest *s, const struct report_row *row,
			uint64_t ns)
{
	const struct report_slow one = { ns, *row };

	if (s->count < REPORT_SLOWEST) {
		rise(s, s->count++, &one);
	} else if (before(&s->list[0], &one)) {
		sink_down(s, &one);
	}
}

static int longest_first(const void *a, const void *b)
{
	return before(a, b) ? 1 : before(b, a) ? -1 : 0;
}

void report_slowest_sort(struct report_slowest *s)
{
	qsort(s->list, s->count, sizeof(s->list[0]), longest_first);
}

/* --- rows ----------------------------------------------------------------- */

int report_rows_grow(struct report_rows *r)
{
	struct report_row *list = array_reserve(r->list, r->count, &r->size,
						1024, sizeof(*list));

	if (!list)
		return -ENOMEM;
	r->list = list;
	return 0;
}

void report_rows_map(struct report_rows *r, const uint32_t *map)
{
	struct report_row *to = r->list;
	size_t dropped = 0;

	for (size_t i = 0; i < r->count; i++) {
		const struct report_row *row = &r->list[i];
		uint32_t stream = map[row->stream];

		if (UNLIKELY(stream == UINT32_MAX)) {
			dropped++;
			continue;
		}
		if (UNLIKELY(dropped))
			*to = *row;
		to++->stream = stream;
	}
	r->count -= dropped;
}

/* --- order ---------------------------------------------------------------- */

/* so that negative times come first */
static uint64_t key_of(uint64_t time)
{
	return time ^ UINT64_C(1) << 63;
}

static uint64_t begin_key(const struct report_row *row)
{
	return key_of(row->time);
}

static uint64_t end_key(const struct report_row *row)
{
	return key_of(row->time + (report_row_ended(row) ?
				   report_row_total(row) : 0));
}

static uint64_t id_key(const struct report_row *row)
{
	return row->id;
}

typedef uint64_t row_key(const struct report_row *row);

/* Puts items with equal keys in the order of the trace. */
static void order_equal(const struct report_rows *r, struct radix_item *list,
			struct radix_item *spare, size_t n)
{
	struct radix_item *sorted;

	for (size_t i = 0; i < n; i++)
		list[i].key = id_key(&r->list[list[i].index]);
	sorted = radix_sort(list, spare, n);
	if (sorted != list)
		memcpy(list, sorted, n * sizeof(*list));
}

/* The same of items from first on with its key: the index after the last. */
static COLD size_t order_run(const struct report_rows *r,
			     struct radix_item *list, struct radix_item *spare,
			     size_t first)
{
	size_t end = first + 1;

	while (end < r->count && list[end].key == list[first].key)
		end++;
	order_equal(r, list + first, spare, end - first);
	return end;
}

/* items in the order of their keys, then of the trace */
static struct radix_item *order_items(const struct report_rows *r,
				      struct radix_item *list,
				      struct radix_item *spare)
{
	struct radix_item *sorted = radix_sort(list, spare, r->count);

	if (sorted != list)
		spare = list;
	for (size_t i = 1; i < r->count; i++)
		if (UNLIKELY(sorted[i].key == sorted[i - 1].key))
			i = order_run(r, sorted, spare, i - 1);
	return sorted;
}

/* Lists of as many items, and one more; NULL: no memory. */
static struct radix_item *make_items(size_t n)
{
	return array_resize(NULL, n + 1, sizeof(struct radix_item));
}

/* The rows as items in the order of a key, then of the trace: the caller frees
 * the list; NULL: no memory. */
static struct radix_item *order_by(const struct report_rows *r, row_key *key)
{
	struct radix_item *list = make_items(r->count);
	struct radix_item *spare = make_items(r->count);
	struct radix_item *sorted = NULL;

	for (size_t i = 0; list && spare && i < r->count; i++)
		list[i] = (struct radix_item){
			key(&r->list[i]), (uint32_t)i, 0,
		};
	if (list && spare)
		sorted = order_items(r, list, spare);
	if (sorted != list)
		free(list);
	if (sorted != spare)
		free(spare);
	return sorted;
}

int report_rows_sort(struct report_rows *r)
{
	struct report_row *list = array_resize(NULL, r->count + 1,
					       sizeof(*list));
	struct radix_item *order = order_by(r, begin_key);

	if (!list || !order) {
		free(list);
		free(order);
		return -ENOMEM;
	}
	for (size_t i = 0; i < r->count; i++)
		list[i] = r->list[order[i].index];
	free(order);
	free(r->list);
	r->list = list;
	r->size = r->count + 1;
	return 0;
}

uint32_t *report_rows_by_end(const struct report_rows *r)
{
	struct radix_item *order = order_by(r, end_key);
	uint32_t *numbers = array_resize(NULL, r->count + 1, sizeof(*numbers));

	for (size_t i = 0; numbers && order && i < r->count; i++)
		numbers[i] = order[i].index;
	if (!order) {
		free(numbers);
		numbers = NULL;
	}
	free(order);
	return numbers;
}

void report_rows_free(struct report_rows *r)
{
	free(r->list);
	*r = (struct report_rows){ .list = NULL };
}

/* --- excerpts ------------------------------------------------------------ */

enum { HALF_MAX = 4500, HALF_LEAST = 30 };

int report_excerpts_init(struct report_excerpts *s, size_t rows)
{
	size_t half = rows / REPORT_EXCERPTS / 2;

	*s = (struct report_excerpts){ .half = half, .hole = UINT64_MAX };
	if (half > HALF_MAX)
		s->half = HALF_MAX;
	if (half < HALF_LEAST) {
		s->half = 0;
		return 0;
	}
	s->last = calloc(s->half, sizeof(*s->last));
	return s->last ? 0 : -ENOMEM;
}

void report_excerpts_free(struct report_excerpts *s)
{
	free(s->last);
	for (uint32_t i = 0; i < s->used; i++)
		report_rows_free(&s->of[i].rows);
	report_rows_free(&s->rows);
	*s = (struct report_excerpts){ .count = 0 };
}

/* --- rows ----------------------------------------------------------------- */

static void remember(struct report_excerpts *s, const struct report_row *row)
{
	s->last[s->last_next] = *row;
	if (++s->last_next == s->half)
		s->last_next = 0;
	if (s->last_count < s->half)
		s->last_count++;
}

/* Those that are remembered, from the oldest on; none is then, so that no row
 * is in two excerpts. */
static int recall(struct report_excerpts *s, struct report_rows *to)
{
	size_t at = s->last_next + s->half - s->last_count;
	int err = 0;

	for (size_t i = 0; !err && i < s->last_count; i++)
		err = report_rows_add(to, &s->last[(at + i) % s->half]);
	s->last_count = 0;
	return err;
}

static struct report_excerpt_rows *least(struct report_excerpts *s)
{
	struct report_excerpt_rows *one = &s->of[0];

	for (uint32_t i = 1; i < s->used; i++)
		if (s->of[i].ns < one->ns)
			one = &s->of[i];
	return one;
}

static int open(struct report_excerpts *s)
{
	s->open = s->used < REPORT_EXCERPTS ? &s->of[s->used++] : least(s);
	s->open->rows.count = 0;
	s->open->ns = 0;
	s->left = s->half;
	return recall(s, &s->open->rows);
}

/* One that matters so much has been remembered: it is in the excerpt that is
 * open, or begins one. */
static COLD int begin(struct report_excerpts *s, uint64_t ns)
{
	int err = s->open ? 0 : open(s);
	uint64_t shortest;

	if (ns > s->open->ns)
		s->open->ns = ns;
	shortest = least(s)->ns;
	if (s->used == REPORT_EXCERPTS)
		s->bar = shortest < UINT64_MAX ? shortest + 1 : shortest;
	return err;
}

void report_excerpts_hole(struct report_excerpts *s, uint64_t time)
{
	if (!s->holed)
		s->hole = time;
	s->holed = true;
}

/* whether a row is the first of a kind that is always kept */
static COLD bool is_first(struct report_excerpts *s,
			  const struct report_row *row, uint64_t end)
{
	bool is = (row->error && !s->failed) || end >= s->hole;

	s->failed |= row->error != 0;
	if (end >= s->hole)
		s->hole = UINT64_MAX;
	return is;
}

int report_excerpts_add(struct report_excerpts *s, const struct report_row *row,
			uint64_t end)
{
	int err = 0;

	if (!s->half)
		return 0;
	if (s->open) {
		err = report_rows_add(&s->open->rows, row);
		if (!--s->left)
			s->open = NULL;
	} else {
		remember(s, row);
	}
	if (UNLIKELY(row->error || end >= s->hole) && is_first(s, row, end))
		err |= begin(s, UINT64_MAX);
	else if (UNLIKELY(end - row->time >= s->bar) && row->op != REPORT_FLUSH)
		err |= begin(s, end - row->time);
	return err ? -ENOMEM : 0;
}

/* --- the end -------------------------------------------------------------- */

static uint64_t end_of(const struct report_row *row)
{
	return row->time + report_row_total(row);
}

static int by_time(const void *a, const void *b)
{
	const struct report_excerpt_rows *one = a, *two = b;
	uint64_t first = end_of(&one->rows.list[0]);
	uint64_t second = end_of(&two->rows.list[0]);

	return first < second ? -1 : first > second;
}

/* its rows behind those of the ones before */
static int append(struct report_excerpts *s, struct report_excerpt_rows *one,
		  const uint32_t *map)
{
	const struct report_rows *rows = &one->rows;
	struct report_excerpt *to = &s->list[s->count++];
	int err;

	to->from = end_of(&rows->list[0]);
	to->to = end_of(&rows->list[rows->count - 1]) + 1;
	/* what ends at the same moment is in the earlier one */
	if (s->count > 1 && to->from < to[-1].to)
		to->from = to[-1].to;
	to->first = s->rows.count;
	report_rows_map(&one->rows, map);
	err = report_rows_sort(&one->rows);
	for (size_t i = 0; !err && i < rows->count; i++)
		err = report_rows_add(&s->rows, &rows->list[i]);
	to->end = s->rows.count;
	return err;
}

int report_excerpts_end(struct report_excerpts *s, const uint32_t *map)
{
	int err = 0;

	if (s->used)
		qsort(s->of, s->used, sizeof(s->of[0]), by_time);
	for (uint32_t i = 0; !err && i < s->used; i++)
		err = append(s, &s->of[i], map);
	return err;
}

void report_excerpts_map(struct report_excerpts *s, const uint32_t *map)
{
	for (size_t i = 0; i < s->rows.count; i++)
		s->rows.list[i].stream = map[s->rows.list[i].stream];
}
