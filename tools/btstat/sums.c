/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts, rates and depth of each row; see screen.h. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/look.h"
#include "base/unit.h"
#include "emit/cells.h"
#include "stat/bounds.h"
#include "stat/depth.h"
#include "tools/btstat/options.h"
#include "tools/btstat/screen.h"
#include "tools/btstat/tally.h"

void screen_row_name(const struct screen *s, const struct group_row *row,
		     char *text, size_t size)
{
	const struct group_options *g = &s->tally->group_options;
	size_t len = 0;

	snprintf(text, size, "(other)");
	for (unsigned int i = 0; !row->other && i < g->key_count; i++) {
		char value[VALUE_MAX];

		value_text(&s->values, g->keys[i], row->keys[i], value);
		snprintf(text + len, size - len, "%s%s", len ? " " : "",
			 value);
		len += strlen(text + len);
	}
}

uint32_t screen_device(const struct screen *s, const struct group_row *row)
{
	const struct group_options *g = &s->tally->group_options;

	for (unsigned int i = 0; !row->other && i < g->key_count; i++)
		if (g->keys[i] == GROUP_DEVICE)
			return (uint32_t)row->keys[i];
	return READER_ALL;
}

static const struct table_column columns[] = {
	{ "", 16, true, 0 },	{ "I/Os", 7, false, 0 },
	{ "IO/s", 7, false, 1 },	{ "MiB/s", 7, false, 4 },
	{ "size", 7, false, 5 },	{ "merged", 6, false, 7 },
	{ "seq", 5, false, 6 },	{ "errs", 5, false, 8 },
	{ "depth", 6, false, 3 },	{ "busy", 5, false, 2 },
};

/* the time in flight of requests that may have another's completion */
static struct wide doubtful_time(const struct screen *s,
				 const struct group_row *row)
{
	uint32_t measures = s->tally->group_options.measures;
	const struct group *g = s->tally->group;
	uint64_t n = facts_astray(s->facts, screen_device(s, row));
	const struct histogram *h = group_histogram(g, row, MEASURE_Q2C);

	if (measures >> IO_D2C & 1 && group_histogram(g, row, IO_D2C)->count)
		h = group_histogram(g, row, IO_D2C);
	return wide_plus(row->unsure_time, bounds_greatest(h, n));
}

int screen_depth(const struct screen *s, const struct group_row *row,
		 struct depth_row *d, struct depth_row *least)
{
	int err = group_depth(row, s->facts->from + s->facts->length, d);
	uint32_t device = screen_device(s, row);
	struct wide less = { 0, 0 };

	/* if none is missing or left, any pairing gives the same sum */
	if (!err && (d->doubtful || facts_lossy(s->facts, device) ||
		     facts_mixed_up(s->facts, device))) {
		less = doubtful_time(s, row);
		d->exact = false;
		d->doubtful = true;
	}
	*least = *d;
	least->integral = wide_less(less, d->integral) ?
		wide_minus(d->integral, less) : wide_of(0);
	least->busy = d->busy - (wide_clamp(less) < d->busy ? less.low :
							      d->busy);
	return err;
}

/* a lower bound is never ">=<1%" */
static void put_least(struct table *t, const char *text, bool least)
{
	char cell[2 * UNIT_MAX + 2];

	snprintf(cell, sizeof(cell), "%s%s", least ? ">=" : "",
		 least && *text == '<' ? "0%" : text);
	table_cell(t, cell);
}

/* two decimals; a lower bound where I/Os may be missing or open longer */
static int depth_cells(const struct screen *s, struct table *t,
		       const struct group_row *row)
{
	uint64_t hundredths;
	struct depth_row d, least;
	char text[2 * UNIT_MAX];

	if (screen_depth(s, row, &d, &least))
		return -1;
	if (s->facts->untimed) {
		table_cell(t, "-");
		table_cell(t, "-");
		return 0;
	}
	hundredths = (depth_mean(&least, 1000) + 5) / 10;
	snprintf(text, sizeof(text), "%llu.%02u",
		 (unsigned long long)(hundredths / 100),
		 (unsigned int)(hundredths % 100));
	put_least(t, text, d.doubtful);
	unit_share(text, least.busy, d.to - d.from);
	put_least(t, text, !d.exact);
	return 0;
}

static int put_row(const struct screen *s, struct table *t,
		   const struct group_row *row)
{
	uint64_t ns = s->facts->length;
	char name[2 * VALUE_MAX];

	screen_row_name(s, row, name, sizeof(name));
	table_cell(t, name);
	cell_count(t, row->count);
	cell_rate(t, row->count, ns);
	cell_mib(t, row->bytes, ns);
	cell_mean_size(t, row->bytes, row->sized);
	cell_count(t, row->merged);
	if (row->bytes)
		cell_share(t, row->run.sequential, row->count);
	else
		table_cell(t, "-");
	cell_count(t, row->errors);
	return depth_cells(s, t, row);
}

int screen_sums(const struct screen *s)
{
	struct table t = { .text = NULL };
	int err = 0;

	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		table_column(&t, columns[i]);
	if (s->o->per_request)
		t.columns[1].heading = "reqs";
	for (unsigned int i = 0; !err && i < s->row_count; i++)
		if (s->rows[i]->count)
			err = put_row(s, &t, s->rows[i]);
	if (!err)
		err = table_print(&t, s->b, s->look->width, true);
	table_free(&t);
	return err;
}
