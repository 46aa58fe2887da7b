/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows as csv and tsv; see csv.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hint.h"
#include "base/num.h"
#include "emit/csv.h"

enum {
	TEXT_GROWS = 2,		/* bytes of an escaped byte */
	TEXT_QUOTES = 2,
	NUMBER_ROOM = NUM_DECIMAL_MAX + 1,	/* with a separator */
};

struct row_writer {
	struct buf *b;
	unsigned int count;
	size_t room;		/* for a row without its texts */
	size_t null_len;
	char *null;		/* ours */
	bool text[ROW_COLUMNS];	/* whether a column is text */
};

/* Bytes of texts that need quotes. */
static const bool csv_special[256] = {
	[','] = true, ['"'] = true, ['\r'] = true, ['\n'] = true,
};

/* The letter after a backslash; 0: the byte is not escaped. */
static const char tsv_letters[256] = {
	['\0'] = '0', ['\t'] = 't', ['\n'] = 'n', ['\r'] = 'r', ['\\'] = '\\',
};

static COLD char *csv_quoted(char *p, const char *text, uint32_t len)
{
	*p++ = '"';
	for (uint32_t i = 0; i < len; i++) {
		if (text[i] == '"')
			*p++ = '"';
		*p++ = text[i];
	}
	*p++ = '"';
	return p;
}

static inline char *csv_text(char *p, const char *text, uint32_t len)
{
	bool special = false;

	for (uint32_t i = 0; i < len; i++) {
		p[i] = text[i];
		special |= csv_special[(unsigned char)text[i]];
	}
	return UNLIKELY(special) ? csv_quoted(p, text, len) : p + len;
}

static COLD char *tsv_escaped(char *p, const char *text, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++) {
		char letter = tsv_letters[(unsigned char)text[i]];

		if (letter)
			*p++ = '\\';
		*p++ = letter ? letter : text[i];
	}
	return p;
}

static inline char *tsv_text(char *p, const char *text, uint32_t len)
{
	char special = 0;

	for (uint32_t i = 0; i < len; i++) {
		p[i] = text[i];
		special |= tsv_letters[(unsigned char)text[i]];
	}
	return UNLIKELY(special) ? tsv_escaped(p, text, len) : p + len;
}

/* Before a text, makes room for it and the rest of the row.  tsv is constant
 * in each inlined copy. */
static INLINED int
put_row(struct row_writer *w, const struct cell *cells, bool tsv)
{
	const char parting = tsv ? '\t' : ',';
	char *p = buf_room(w->b, w->room);

	for (unsigned int i = 0; p && i < w->count; i++) {
		const struct cell *c = &cells[i];

		if (c->null) {
			for (size_t k = 0; k < w->null_len; k++)
				*p++ = w->null[k];
		} else if (!w->text[i]) {
			p = num_i64(p, c->number);
		} else {
			buf_commit(w->b, p);
			p = buf_room(w->b, w->room + TEXT_QUOTES +
					   TEXT_GROWS * (size_t)c->len);
			if (UNLIKELY(!p))
				break;
			p = tsv ? tsv_text(p, c->text, c->len) :
				  csv_text(p, c->text, c->len);
		}
		*p++ = parting;
	}
	if (!p)
		return 0;	/* the buffer has the error */
	p[-1] = '\n';
	buf_commit(w->b, p);
	return 0;
}

static int csv_row(struct row_writer *w, const struct cell *cells)
{
	return put_row(w, cells, false);
}

static int tsv_row(struct row_writer *w, const struct cell *cells)
{
	return put_row(w, cells, true);
}

/* Names need neither quotes nor backslashes. */
static void put_names(struct buf *b, const struct row_shape *shape,
		      char parting)
{
	for (unsigned int i = 0; i < shape->count; i++) {
		const char *name = shape->columns[i]->name;

		buf_append(b, name, strlen(name));
		buf_append(b, i + 1 < shape->count ? &parting : "\n", 1);
	}
}

static int writer_new(struct row_writer **made, struct buf *b,
		      const struct row_shape *shape, const char *null)
{
	struct row_writer *w = calloc(1, sizeof(*w));
	size_t cell;

	if (!w)
		return -ENOMEM;
	*w = (struct row_writer){ .b = b, .count = shape->count,
				  .null_len = strlen(null),
				  .null = strdup(null) };
	if (!w->null) {
		free(w);
		return -ENOMEM;
	}
	cell = w->null_len + 1 > NUMBER_ROOM ? w->null_len + 1 : NUMBER_ROOM;
	w->room = cell * shape->count + NUM_SLACK;
	for (unsigned int i = 0; i < shape->count; i++)
		w->text[i] = shape->columns[i]->type == COLUMN_TEXT;
	*made = w;
	return 0;
}

/* In a table of one column an empty null is an empty line: readers skip it. */
static const char *csv_null(const struct row_shape *shape)
{
	return shape->count == 1 ? "\"\"" : "";
}

static int csv_open(struct row_writer **w, struct buf *b,
		    const struct row_shape *shape, const struct row_options *o)
{
	int err = writer_new(w, b, shape, o->null ? o->null : csv_null(shape));

	if (!err && o->header)
		put_names(b, shape, ',');
	return err;
}

static int tsv_open(struct row_writer **w, struct buf *b,
		    const struct row_shape *shape, const struct row_options *o)
{
	int err = writer_new(w, b, shape, o->null ? o->null : "\\N");

	if (!err && o->header)
		put_names(b, shape, '\t');
	return err;
}

static int no_end(struct row_writer *w)
{
	(void)w;
	return 0;
}

static void writer_free(struct row_writer *w)
{
	if (!w)
		return;
	free(w->null);
	free(w);
}

const struct row_ops csv_ops = { csv_open, csv_row, no_end, writer_free };
const struct row_ops tsv_ops = { tsv_open, tsv_row, no_end, writer_free };
