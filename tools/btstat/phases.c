/* SPDX-License-Identifier: GPL-2.0-only */
/* A table of phases for each row; see screen.h. */
#include "base/buf.h"
#include "base/look.h"
#include "tools/btstat/options.h"
#include "tools/btstat/phase_table.h"
#include "tools/btstat/screen.h"
#include "tools/btstat/tally.h"

/* phases that take less of the time than one in so many are left out */
enum { SMALL = 2000 };

static bool is_shown(const struct screen *s, const struct group_row *row,
		     unsigned int m)
{
	const struct histogram *h;

	if (!(s->tally->group_options.measures >> m & 1))
		return false;
	if (s->o->measures)
		return s->o->measures >> m & 1;
	h = group_histogram(s->tally->group, row, m);
	return h->count && (m == MEASURE_Q2C || m == IO_D2C ||
			    !wide_less(wide_times(h->sum, SMALL), row->time));
}

static void put_bounds(const struct screen *s, struct phase_table *t,
		       const struct group_row *row, unsigned int m)
{
	const struct histogram *h = group_histogram(s->tally->group, row, m);
	uint32_t device = screen_device(s, row);

	if (facts_lossy(s->facts, device))
		phase_table_bounds(t, h, facts_row_doubt(s->facts, row,
							 device));
}

static int put_row(const struct screen *s, const struct group_row *row)
{
	struct phase_table t;
	char name[2 * VALUE_MAX];
	bool first = true;
	int err;

	screen_row_name(s, row, name, sizeof(name));
	phase_table_init(&t, name, &s->o->percentiles);
	for (unsigned int i = 0; i < MEASURES; i++) {
		unsigned int m = phase_table_order[i];

		if (!is_shown(s, row, m))
			continue;
		phase_table_row(&t, m,
				group_histogram(s->tally->group, row, m),
				row->time);
		if (first)
			put_bounds(s, &t, row, m);
		first = false;
	}
	err = table_print(&t.table, s->b, s->look->width, true);
	table_free(&t.table);
	return err;
}

int screen_phases(const struct screen *s)
{
	int err = 0;

	for (unsigned int i = 0; !err && i < s->row_count; i++) {
		if (!s->rows[i]->measured)
			continue;
		buf_append(s->b, "\n", 1);
		err = put_row(s, s->rows[i]);
	}
	return err;
}
