/* SPDX-License-Identifier: GPL-2.0-only */
/* Formats that are tables; see table.h. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/time.h"
#include "import/columns.h"
#include "import/import.h"
#include "import/lines.h"
#include "import/rows.h"
#include "import/table.h"

/* a clock that starts at 0 has room for what was before its first line */
#define BEFORE_ZERO (3600 * NS_PER_SECOND)

struct reading {
	const struct import_to *to;
	const struct table *table;
	struct lines lines;
	struct columns columns;
	struct rows rows;
};

/* --- what is what --------------------------------------------------------- */

/* whether a field is of a kind of a shape */
static bool fits(char kind, const char *text, size_t len)
{
	const char *number = kind == 'f' ? "0123456789." : "0123456789";

	if (!len)
		return false;
	switch (kind) {
	case 'n':
	case 'f':
		return strspn(text, number) >= len;
	case '0':
		return len == 1 && (*text == '0' || *text == '1');
	case 'o':
		return memchr("RrWw", *text, 4);
	default:
		return true;
	}
}

bool table_has_shape(const char *line, size_t len, char separator,
		     const char *shape)
{
	const char *at = line, *end = line + len;

	for (; *shape; shape++) {
		const char *cut = memchr(at, separator, (size_t)(end - at));
		size_t n = (size_t)((cut ? cut : end) - at);

		if (*shape == '*')
			return true;
		if (!fits(*shape, at, n))
			return false;
		if (!cut)
			return !shape[1] || shape[1] == '*';
		at = cut + 1;
	}
	return false;
}

/* --- reading -------------------------------------------------------------- */

static void report(const struct reading *r, const struct misfit *m)
{
	char why[IMPORT_WHY], text[40];

	escape_text(text, sizeof(text), m->text.text, m->text.len);
	if (m->text.len)
		snprintf(why, sizeof(why), "\"%s\" is not %s", text,
			 m->expected);
	else
		snprintf(why, sizeof(why), "the line ends before %s",
			 m->expected);
	r->to->fault(r->to->ctx, r->lines.number, m->column, why);
}

/* Lines without an I/O: comments, and what is above the first. */
static bool is_heading(const struct reading *r, const char *line, size_t len)
{
	return !len || *line == '#' ||
	       (r->lines.number == 1 && !isdigit((unsigned char)*line));
}

static int read_line(struct reading *r, const char *line, size_t len)
{
	struct misfit m;
	struct row row;
	int err;

	if (!columns_row(&r->columns, line, len, &row, &m)) {
		if (!is_heading(r, line, len))
			report(r, &m);
		return 0;
	}
	err = rows_add(&r->rows, &row);
	if (err != -ERANGE)
		return err;
	r->to->fault(r->to->ctx, r->lines.number, 1,
		     "no I/O is so large, or there are too many devices");
	return 0;
}

static int read_lines(struct reading *r)
{
	char *line;
	size_t len;
	int n;

	while ((n = lines_next(&r->lines, &line, &len)) > 0) {
		n = read_line(r, line, len);
		if (n)
			break;
	}
	return n ? n : rows_end(&r->rows);
}

static int tell_about(const struct reading *r)
{
	const struct import_about about = {
		.from = r->table->from,
		.lacks = rows_lack(columns_times(&r->columns)),
		.clock = r->table->clock,
		.wall = r->table->wall,
	};

	return r->to->about(r->to->ctx, &about);
}

enum { COLUMNS_TEXT = 512 };

/* The columns by the heading: 0; or -EBADMSG, if no line is one. */
static int find_heading(struct reading *r, char columns[COLUMNS_TEXT])
{
	char *line;
	size_t len;
	int n;

	while ((n = lines_next(&r->lines, &line, &len)) > 0)
		if (r->table->heading(line, len, columns, COLUMNS_TEXT))
			return 0;
	if (!n)
		r->to->fault(r->to->ctx, 0, 0, "no line names the columns");
	return n ? n : -EBADMSG;
}

static int set_columns(struct reading *r, const char *columns)
{
	char why[IMPORT_WHY];

	if (columns_parse(&r->columns, columns, why, sizeof(why))) {
		r->to->fault(r->to->ctx, 0, 0, why);
		return -EBADMSG;
	}
	r->columns.separator = r->table->separator;
	if (!r->table->wall)
		r->columns.shift = BEFORE_ZERO;
	return 0;
}

static int begin(struct reading *r, const char *columns)
{
	char text[COLUMNS_TEXT];
	int err = 0;

	if (r->table->columns)
		columns = r->table->columns;
	if (r->table->heading) {
		err = find_heading(r, text);
		columns = text;
	}
	return err ? err : set_columns(r, columns);
}

static int read_all(struct reading *r)
{
	int err;

	rows_init(&r->rows, r->to, columns_times(&r->columns),
		  columns_end(&r->columns));
	r->rows.prefix = r->table->prefix;
	err = tell_about(r);
	if (!err)
		err = read_lines(r);
	rows_free(&r->rows);
	return err;
}

int table_read(const struct table *t, const char *columns, struct source *s,
	       const struct import_to *to)
{
	struct reading r = { .to = to, .table = t };
	int err = lines_open(&r.lines, s);

	if (!err)
		err = begin(&r, columns);
	if (!err)
		err = read_all(&r);
	lines_close(&r.lines);
	return err;
}
