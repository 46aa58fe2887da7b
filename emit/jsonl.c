/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows as JSON lines; see jsonl.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hint.h"
#include "base/json.h"
#include "base/num.h"
#include "emit/jsonl.h"

enum {
	KEY_ROOM = 24,		/* bytes of a key that are always copied */
};

/* the text before a cell: ,"name": or, for the first, {"name": */
struct key {
	char short_text[KEY_ROOM];	/* its first bytes */
	const char *text;
	uint32_t len;
	bool is_text;		/* the cell */
};

struct row_writer {
	struct buf *b;
	unsigned int count;
	size_t room;		/* for a row without its texts */
	char *texts;		/* all keys, back to back */
	struct key keys[ROW_COLUMNS];
};

/* Copies a key and up to KEY_ROOM bytes after it, which the next overwrites. */
static inline char *put_key(char *p, const struct key *k)
{
	memcpy(p, k->short_text, KEY_ROOM);
	if (UNLIKELY(k->len > KEY_ROOM))
		memcpy(p, k->text, k->len);
	return p + k->len;
}

/* Does not check UTF-8 beyond ASCII. */
static inline bool is_special(unsigned char c)
{
	return (unsigned char)(c - ' ') >= 0x7f - ' ' || c == '"' || c == '\\';
}

static inline char *put_text(char *p, const char *text, uint32_t len)
{
	bool special = false;

	p[0] = '"';
	for (uint32_t i = 0; i < len; i++) {
		p[i + 1] = text[i];
		special |= is_special((unsigned char)text[i]);
	}
	if (UNLIKELY(special))
		return json_render(p, text, len);
	p[len + 1] = '"';
	return p + len + JSON_QUOTES;
}

/* Before a text, makes room for it and the rest of the row. */
static int put_row(struct row_writer *w, const struct cell *cells)
{
	char *p = buf_room(w->b, w->room);

	for (unsigned int i = 0; p && i < w->count; i++) {
		const struct cell *c = &cells[i];
		const struct key *k = &w->keys[i];

		p = put_key(p, k);
		if (c->null) {
			memcpy(p, "null", 4);
			p += 4;
		} else if (!k->is_text) {
			p = num_i64(p, c->number);
		} else {
			buf_commit(w->b, p);
			p = buf_room(w->b, w->room + JSON_QUOTES +
					   JSON_GROWS * (size_t)c->len);
			if (LIKELY(p))
				p = put_text(p, c->text, c->len);
		}
	}
	if (!p)
		return 0;	/* the buffer has the error */
	*p++ = '}';
	*p++ = '\n';
	buf_commit(w->b, p);
	return 0;
}

static void make_keys(struct row_writer *w, const struct row_shape *shape)
{
	char *at = w->texts;

	for (unsigned int i = 0; i < shape->count; i++) {
		const struct column *column = shape->columns[i];
		struct key *k = &w->keys[i];
		size_t len = strlen(column->name);

		k->is_text = column->type == COLUMN_TEXT;
		k->text = at;
		k->len = (uint32_t)len + 4;
		*at++ = i ? ',' : '{';
		*at++ = '"';
		memcpy(at, column->name, len);
		at += len;
		*at++ = '"';
		*at++ = ':';
		memcpy(k->short_text, k->text,
		       k->len < KEY_ROOM ? k->len : KEY_ROOM);
	}
}

static int jsonl_open(struct row_writer **made, struct buf *b,
		      const struct row_shape *shape,
		      const struct row_options *o)
{
	struct row_writer *w = calloc(1, sizeof(*w));
	size_t texts = 0;

	(void)o;
	if (!w)
		return -ENOMEM;
	for (unsigned int i = 0; i < shape->count; i++)
		texts += strlen(shape->columns[i]->name) + 4;
	w->texts = malloc(texts);
	if (!w->texts) {
		free(w);
		return -ENOMEM;
	}
	w->b = b;
	w->count = shape->count;
	w->room = texts + (size_t)shape->count * NUM_DECIMAL_MAX + KEY_ROOM +
		  NUM_SLACK;
	make_keys(w, shape);
	*made = w;
	return 0;
}

static int jsonl_end(struct row_writer *w)
{
	(void)w;
	return 0;
}

static void jsonl_free(struct row_writer *w)
{
	if (!w)
		return;
	free(w->texts);
	free(w);
}

const struct row_ops jsonl_ops = { jsonl_open, put_row, jsonl_end,
				   jsonl_free };
