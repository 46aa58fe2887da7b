/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows that are kept; see rows.h. */
#include <errno.h>
#include <stdlib.h>

#include "analysis/report/rows.h"
#include "base/array.h"

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

static int by_time(const void *a, const void *b)
{
	const struct report_row *one = a, *two = b;

	if (one->time != two->time)
		return (int64_t)one->time < (int64_t)two->time ? -1 : 1;
	return one->id < two->id ? -1 : one->id > two->id;
}

void report_rows_end(struct report_rows *r, const uint32_t *map)
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
	if (n)
		qsort(r->list, n, sizeof(*r->list), by_time);
}

void report_rows_free(struct report_rows *r)
{
	free(r->list);
	*r = (struct report_rows){ .list = NULL };
}
