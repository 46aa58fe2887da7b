/* SPDX-License-Identifier: GPL-2.0-only */
/* Depth by intervals; see depth_rows.h. */
#include <errno.h>

#include "stat/depth_rows.h"

void depth_rows_init(struct depth_rows *r, uint64_t from, uint64_t length,
		     unsigned int wait)
{
	*r = (struct depth_rows){ .from = from, .length = length,
				  .wait = wait, .doubt = UINT64_MAX };
}

/* Start of a row, saturated. */
static uint64_t begin_of(const struct depth_rows *r, uint64_t number)
{
	struct wide begin = wide_product(number, r->length);

	wide_add(&begin, r->from);
	return wide_clamp(begin);
}

static struct depth *row_at(struct depth_rows *r, unsigned int i)
{
	return &r->rows[(r->first + i) % DEPTH_ROWS];
}

/* Makes all rows that start before moment, as far as they fit. */
static void extend(struct depth_rows *r, uint64_t moment)
{
	while (r->count < DEPTH_ROWS) {
		uint64_t number = r->first + r->count;
		uint64_t begin = begin_of(r, number);

		if (begin >= moment)
			return;
		depth_init(row_at(r, r->count++), begin,
			   begin_of(r, number + 1));
	}
}

/* Removes the oldest row, cut at end. */
static int take(struct depth_rows *r, uint64_t end, struct depth_row *row)
{
	struct depth *d = row_at(r, 0);
	int err = depth_read(d, end, row);

	row->exact = row->exact && row->to <= r->doubt;
	depth_free(d);
	r->first++;
	r->count--;
	return err ? err : 1;
}

int depth_rows_next(struct depth_rows *r, uint64_t settled, uint64_t now,
		    struct depth_row *row)
{
	uint64_t end = begin_of(r, r->first + 1);
	uint64_t latest = begin_of(r, r->first + 1 + r->wait);
	int got;

	extend(r, now);
	if (end > now || (end > settled && latest > now))
		return 0;
	if (r->open.add && r->open.add(r->open.ctx, row_at(r, 0)))
		return -ENOMEM;
	got = take(r, end, row);
	row->exact = row->exact && end <= settled;
	return got;
}

int depth_rows_last(struct depth_rows *r, uint64_t end, struct depth_row *row)
{
	extend(r, end);
	return r->count ? take(r, end, row) : 0;
}

int depth_rows_add(struct depth_rows *r, uint64_t from, uint64_t to)
{
	int err = 0;

	extend(r, to);
	if (to > begin_of(r, r->first + r->count))
		return -EINVAL;
	/* older rows have been returned */
	for (unsigned int i = r->count; !err && i--;) {
		struct depth *d = row_at(r, i);

		if (d->to <= from)
			break;
		err = depth_add(d, from, to);
	}
	return err;
}

void depth_rows_doubt(struct depth_rows *r, uint64_t from)
{
	if (from < r->doubt)
		r->doubt = from;
}

void depth_rows_doubt_span(struct depth_rows *r, uint64_t from, uint64_t to)
{
	extend(r, to);
	for (unsigned int i = 0; i < r->count; i++) {
		struct depth *d = row_at(r, i);

		if (d->from < to && d->to > from)
			depth_doubt(d);
	}
}

void depth_rows_free(struct depth_rows *r)
{
	while (r->count) {
		depth_free(row_at(r, 0));
		r->first++;
		r->count--;
	}
}
