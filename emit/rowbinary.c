/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows as RowBinary; see rowbinary.h. */
#include "emit/rowbinary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hint.h"
#include "base/little.h"
#include "base/varint.h"
#include "emit/row.h"

enum { CELL_MOST = 1 + VARINT_BYTES };	/* bytes besides a text's */

struct row_writer {
	struct buf *out;
	unsigned int count;
	struct kind {
		uint8_t bytes;	/* of a number; 0: a text */
		bool may_be_null;
	} kinds[ROW_COLUMNS];
};

static int rowbinary_open(struct row_writer **to, struct buf *b,
			  const struct row_shape *shape,
			  const struct row_options *o)
{
	static const uint8_t bytes[COLUMN_TYPES] = {
		[COLUMN_TEXT] = 0, [COLUMN_INT32] = 4, [COLUMN_INT64] = 8,
	};
	struct row_writer *w = malloc(sizeof(*w));

	(void)o;
	*to = w;
	if (!w)
		return -ENOMEM;
	w->out = b;
	w->count = shape->count;
	for (unsigned int i = 0; i < shape->count; i++)
		w->kinds[i] = (struct kind){ bytes[shape->columns[i]->type],
					     shape->columns[i]->may_be_null };
	return 0;
}

/* room for all of a row but its texts, or for all from a text on */
static inline uint8_t *room(struct row_writer *w, unsigned int cells,
			    size_t text)
{
	return (uint8_t *)buf_room(w->out, cells * CELL_MOST + text);
}

static int rowbinary_row(struct row_writer *w, const struct cell *cells)
{
	uint8_t *p = room(w, w->count, 0);

	for (unsigned int i = 0; LIKELY(p != NULL) && i < w->count; i++) {
		const struct kind k = w->kinds[i];
		const struct cell *c = &cells[i];

		if (k.may_be_null)
			*p++ = c->null;
		if (k.may_be_null && c->null)
			continue;
		if (k.bytes) {
			/* the lower bytes are those of the narrower number */
			put_le64(p, (uint64_t)c->number);
			p += k.bytes;
			continue;
		}
		p = varint_put(p, c->len);
		buf_commit(w->out, (char *)p);
		p = room(w, w->count - i, c->len);
		if (UNLIKELY(!p))
			break;
		memcpy(p, c->text, c->len);
		p += c->len;
	}
	if (LIKELY(p != NULL))
		buf_commit(w->out, (char *)p);
	return 0;
}

static int rowbinary_end(struct row_writer *w)
{
	(void)w;
	return 0;
}

static void rowbinary_free(struct row_writer *w)
{
	free(w);
}

const struct row_ops rowbinary_ops = {
	.open = rowbinary_open,
	.row = rowbinary_row,
	.end = rowbinary_end,
	.free = rowbinary_free,
};
