/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table with aligned columns; see table.h.
 *
 * Cells are back to back in one text.  A row of one text starts with a byte
 * that no cell has.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "emit/table.h"

#define LINE_MARK '\1'

enum { FIRST_SIZE = 4096, WIDTH_MAX = 1000 };

/* the layout of one print */
struct layout {
	unsigned int widths[TABLE_COLUMNS];	/* 0: left out */
	unsigned int limit;
};

void table_free(struct table *t)
{
	free(t->text);
	*t = (struct table){ .text = NULL };
}

void table_column(struct table *t, struct table_column column)
{
	if (t->column_count < TABLE_COLUMNS)
		t->columns[t->column_count++] = column;
}

/* --- cells ---------------------------------------------------------------- */

static bool make_room(struct table *t, size_t need)
{
	size_t size = t->size ? t->size : FIRST_SIZE;
	char *text;

	if (t->size - t->len >= need)
		return true;
	while (size - t->len < need)
		size *= 2;
	text = realloc(t->text, size);
	if (!text) {
		t->failed = true;
		return false;
	}
	t->text = text;
	t->size = size;
	return true;
}

static void add(struct table *t, const char *text, size_t len)
{
	if (t->failed || !make_room(t, len))
		return;
	memcpy(t->text + t->len, text, len);
	t->len += len;
}

void table_cell(struct table *t, const char *text)
{
	add(t, text, strlen(text) + 1);
	if (++t->at < t->column_count)
		return;
	t->at = 0;
	t->rows++;
}

void table_line(struct table *t, const char *text)
{
	static const char mark = LINE_MARK;

	add(t, &mark, 1);
	add(t, text, strlen(text) + 1);
	t->rows++;
}

/* --- widths --------------------------------------------------------------- */

static bool begins_character(char c)
{
	return (c & 0xc0) != 0x80;
}

unsigned int table_width(const char *text)
{
	unsigned int n = 0;

	for (; *text; text++)
		n += begins_character(*text);
	return n;
}

static const char *next_cell(const char *cell)
{
	return cell + strlen(cell) + 1;
}

static void widen(unsigned int *width, const char *cell)
{
	unsigned int n = table_width(cell);

	if (n > *width)
		*width = n < WIDTH_MAX ? n : WIDTH_MAX;
}

/* the widths that cells need */
static void measure(const struct table *t, struct layout *l, bool head)
{
	const char *cell = t->text;

	for (unsigned int i = 0; i < t->column_count; i++) {
		l->widths[i] = 1;
		if (head)
			widen(&l->widths[i], t->columns[i].heading);
	}
	for (size_t row = 0; row < t->rows; row++) {
		if (*cell == LINE_MARK) {
			cell = next_cell(cell);
			continue;
		}
		for (unsigned int i = 0; i < t->column_count; i++) {
			widen(&l->widths[i], cell);
			cell = next_cell(cell);
		}
	}
}

/* blanks before a column: two between right- and left-aligned columns */
static unsigned int distance(const struct table *t, unsigned int i)
{
	if (!i)
		return 0;
	return 1 + (t->columns[i].left && !t->columns[i - 1].left);
}

/* usual: of columns at least at their usual width */
static unsigned int total_width(const struct table *t, const struct layout *l,
				bool usual)
{
	unsigned int sum = 0;

	for (unsigned int i = 0; i < t->column_count; i++) {
		unsigned int width = l->widths[i];

		if (usual && width && width < t->columns[i].width)
			width = t->columns[i].width;
		if (width)
			sum += distance(t, i) + width;
	}
	return sum;
}

/* the column to leave out next, or 0 */
static unsigned int least_useful(const struct table *t, const struct layout *l)
{
	unsigned int found = 0;

	for (unsigned int i = 1; i < t->column_count; i++)
		if (l->widths[i] && t->columns[i].leave &&
		    t->columns[i].leave >= t->columns[found].leave)
			found = i;
	return found;
}

/* usual widths as far as there is room, from the right */
static void use_slack(const struct table *t, struct layout *l)
{
	unsigned int sum = total_width(t, l, false);

	for (unsigned int i = t->column_count; i-- > 0;) {
		unsigned int want = t->columns[i].width, more;

		if (!l->widths[i] || want <= l->widths[i])
			continue;
		more = want - l->widths[i];
		if (sum + more > l->limit)
			more = sum < l->limit ? l->limit - sum : 0;
		l->widths[i] += more;
		sum += more;
	}
}

static void leave_out_spare(const struct table *t, struct layout *l)
{
	unsigned int i;

	while (total_width(t, l, true) > l->limit &&
	       (i = least_useful(t, l)) != 0 &&
	       t->columns[i].leave >= TABLE_SPARE)
		l->widths[i] = 0;
}

static void lay_out(const struct table *t, struct layout *l, bool head)
{
	unsigned int i;

	measure(t, l, head);
	leave_out_spare(t, l);
	while (total_width(t, l, false) > l->limit &&
	       (i = least_useful(t, l)) != 0)
		l->widths[i] = 0;
	use_slack(t, l);
}

/* --- output --------------------------------------------------------------- */

/* a line being written: blanks are only written before other text */
struct line {
	struct buf *b;
	unsigned int blanks, used, limit;
};

static void put_blanks(struct line *line)
{
	for (; line->blanks && line->used < line->limit; line->blanks--) {
		buf_append(line->b, " ", 1);
		line->used++;
	}
}

/* cut at the line's limit */
static void put_text(struct line *line, const char *text)
{
	size_t len = 0;

	if (!*text)
		return;
	put_blanks(line);
	for (; text[len]; len++)
		if (begins_character(text[len]) && line->used++ >= line->limit)
			break;
	buf_append(line->b, text, len);
}

static void put_cell(struct line *line, const char *text, unsigned int width,
		     bool left)
{
	unsigned int n = table_width(text), pad = width > n ? width - n : 0;

	if (!left)
		line->blanks += pad;
	put_text(line, text);
	if (left || !*text)
		line->blanks += left ? pad : n;
}

/* a row that starts at cell, or (NULL) the headings; returns its end */
static const char *put_row(const struct table *t, const struct layout *l,
			   struct buf *b, const char *cell)
{
	struct line line = { .b = b, .limit = l->limit };

	for (unsigned int i = 0; i < t->column_count; i++) {
		const char *text = cell ? cell : t->columns[i].heading;

		if (l->widths[i]) {
			line.blanks += distance(t, i);
			put_cell(&line, text, l->widths[i],
				 t->columns[i].left);
		}
		if (cell)
			cell = next_cell(cell);
	}
	buf_append(b, "\n", 1);
	return cell;
}

static const char *put_line(const struct layout *l, struct buf *b,
			    const char *text)
{
	struct line line = { .b = b, .limit = l->limit };

	put_text(&line, text + 1);
	buf_append(b, "\n", 1);
	return next_cell(text);
}

int table_print(struct table *t, struct buf *b, unsigned int width, bool head)
{
	struct layout l = { .limit = width };
	const char *cell = t->text;

	lay_out(t, &l, head);
	if (head)
		put_row(t, &l, b, NULL);
	for (size_t row = 0; row < t->rows; row++)
		cell = *cell == LINE_MARK ? put_line(&l, b, cell) :
					    put_row(t, &l, b, cell);
	t->len = t->rows = 0;
	t->at = 0;
	return t->failed ? -ENOMEM : 0;
}
