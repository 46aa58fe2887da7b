/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows that are kept; see rows.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/radix.h"
#include "report/rows.h"

int report_rows_add(struct report_rows *r, const struct report_row *row)
{
	struct report_row *list = array_reserve(r->list, r->count, &r->size,
						1024, sizeof(*list));

	if (!list)
		return -ENOMEM;
	r->list = list;
	list[r->count++] = *row;
	return 0;
}

void report_rows_map(struct report_rows *r, const uint32_t *map)
{
	size_t n = 0;

	for (size_t i = 0; i < r->count; i++) {
		uint32_t stream = map[r->list[i].stream];

		if (stream == UINT32_MAX)
			continue;
		r->list[n] = r->list[i];
		r->list[n++].stream = stream;
	}
	r->count = n;
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

/* puts items in order of a key, and those that are equal stay as they are */
static struct radix_item *order_items(const struct report_rows *r,
				      struct radix_item *list,
				      struct radix_item *spare, row_key *key)
{
	for (size_t i = 0; i < r->count; i++)
		list[i].key = key(&r->list[list[i].index]);
	return radix_sort(list, spare, r->count);
}

/* numbers in the order of a key, then of the trace; NULL: no memory */
static uint32_t *order_by(const struct report_rows *r, row_key *key)
{
	size_t n = r->count;
	struct radix_item *list = calloc(n + 1, sizeof(*list));
	struct radix_item *spare = calloc(n + 1, sizeof(*spare));
	uint32_t *order = calloc(n + 1, sizeof(*order));
	struct radix_item *one, *sorted;

	for (size_t i = 0; list && i < n; i++)
		list[i].index = (uint32_t)i;
	if (list && spare && order) {
		one = order_items(r, list, spare, id_key);
		sorted = order_items(r, one, one == list ? spare : list, key);
		for (size_t i = 0; i < n; i++)
			order[i] = sorted[i].index;
	} else {
		free(order);
		order = NULL;
	}
	free(list);
	free(spare);
	return order;
}

int report_rows_sort(struct report_rows *r)
{
	struct report_row *list = calloc(r->count + 1, sizeof(*list));
	uint32_t *order = order_by(r, begin_key);

	if (!list || !order) {
		free(list);
		free(order);
		return -ENOMEM;
	}
	for (size_t i = 0; i < r->count; i++)
		list[i] = r->list[order[i]];
	free(order);
	free(r->list);
	r->list = list;
	r->size = r->count + 1;
	return 0;
}

uint32_t *report_rows_by_end(const struct report_rows *r)
{
	return order_by(r, end_key);
}

void report_rows_free(struct report_rows *r)
{
	free(r->list);
	*r = (struct report_rows){ .list = NULL };
}
