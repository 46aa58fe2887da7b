/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls that waited for the disk; see commit_text.h. */
#include <stdio.h>

#include "base/buf.h"
#include "base/look.h"
#include "base/unit.h"
#include "commit/commit_sums.h"
#include "emit/cells.h"
#include "emit/commit_text.h"
#include "emit/table.h"

enum { ROWS = 12, BLOCK = 4096 };

/* --- a call --------------------------------------------------------------- */

/* " (jbd2/sda1-8, 212 blocks)" */
static void put_other(struct buf *b, const struct commit *c,
		      const struct commit_names *names)
{
	if (!c->other_bytes)
		return;
	buf_printf(b, " (%s, %llu blocks)",
		   names->other ? names->other : "unknown",
		   (unsigned long long)((c->other_bytes + BLOCK - 1) / BLOCK));
}

void commit_text_line(struct buf *b, const struct commit *c,
		      const struct commit_names *names)
{
	const char *before = ": ";
	char text[UNIT_MAX];

	unit_time(text, c->duration);
	if (c->kind == COMMIT_CALL)
		buf_printf(b, "%s of %s by %s %s", commit_kind_text(c),
			   names->file, names->process, text);
	else
		buf_printf(b, "%s by %s %s", commit_kind_text(c),
			   names->process, text);
	for (int i = 0; i < COMMIT_PARTS; i++) {
		if (!c->parts[i])
			continue;
		unit_time(text, c->parts[i]);
		buf_printf(b, "%s%s %s", before, text,
			   commit_part_text((enum commit_part)i));
		if (i == COMMIT_OTHER)
			put_other(b, c, names);
		before = ", ";
	}
	buf_printf(b, "%s\n", c->unsure ? " (not sure)" : "");
}

/* --- tables --------------------------------------------------------------- */

static void put_row(struct table *t, const struct commit_sum *s)
{
	table_cell(t, s->name ? s->name : "all");
	cell_count(t, s->count);
	cell_time(t, histogram_kth(&s->durations,
				   histogram_rank(s->count, 50000)));
	cell_time(t, histogram_kth(&s->durations,
				   histogram_rank(s->count, 99000)));
	cell_time(t, s->durations.max);
	cell_time(t, s->time);
	for (int i = 0; i < COMMIT_PARTS; i++)
		cell_share(t, s->parts[i], s->time);
	cell_share(t, s->unsure, s->count);
}

static void add_columns(struct table *t, const char *heading)
{
	static const struct table_column columns[] = {
		{ "calls", 6, false, 6 }, { "p50", 7, false, 5 },
		{ "p99", 7, false, 4 }, { "max", 7, false, 7 },
		{ "time", 7, false, 0 },
		{ "data", 5, false, 0 }, { "journal", 7, false, 0 },
		{ "flush", 5, false, 0 }, { "other", 5, false, 0 },
		{ "writeback", 9, false, 3 }, { "no I/O", 6, false, 1 },
		{ "unsure", 6, false, 2 },
	};

	table_column(t, (struct table_column){ heading, 16, true, 0 });
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		table_column(t, columns[i]);
}

static int put_list(struct buf *b, const struct commit_sums *s,
		    const struct commit_list *l, const char *heading,
		    const struct look *look)
{
	struct table t = { .text = NULL };
	int err;

	add_columns(&t, heading);
	for (unsigned int i = 0; i < l->count && i < ROWS; i++)
		put_row(&t, &l->rows[i]);
	if (l->count > 1)
		put_row(&t, &s->all);
	buf_append(b, "\n", 1);
	err = table_print(&t, b, look->width, true);
	if (l->count > ROWS)
		buf_printf(b, "... and %u more\n", l->count - ROWS);
	table_free(&t);
	return err;
}

int commit_text_sums(struct buf *b, const struct commit_sums *s,
		     const struct look *look)
{
	bool calls = s->slow_count && s->slowest[0].is.kind == COMMIT_CALL;
	int err = 0;

	if (calls)
		err = put_list(b, s, &s->files, "file", look);
	if (!err)
		err = put_list(b, s, &s->processes, "process", look);
	if (!err && s->slow_count > 1)
		buf_printf(b, "\nThe slowest:\n");
	for (unsigned int i = 0; !err && s->slow_count > 1 &&
				 i < s->slow_count; i++) {
		const struct slow_commit *c = &s->slowest[i];

		commit_text_line(b, &c->is, &(struct commit_names){
			c->file, c->process, c->other });
	}
	return err;
}
