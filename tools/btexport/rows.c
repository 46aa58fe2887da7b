/* SPDX-License-Identifier: GPL-2.0-only */
/* Streams of rows as outputs; see rows.h. */
#include "emit/row.h"
#include "tools/btexport/output_options.h"
#include "tools/btexport/rows.h"

/* the only table that comes here */
static enum table_kind table_here(const struct output *out)
{
	return (enum table_kind)__builtin_ctz(out->tables);
}

int rows_begin(struct output *out)
{
	const struct fields *f = &out->o->fields[table_here(out)];
	struct row_writer *w = NULL;
	int err = out->ops->rows->open(&w, &out->file.buf, &f->shape,
				       &out->o->rows);

	out->own = w;
	return err;
}

int rows_row(struct output *out, enum table_kind kind,
	     const struct cell *cells)
{
	(void)kind;
	return out->ops->rows->row(out->own, cells);
}

/* A format whose rows wait for others has nothing to write yet. */
int rows_quiet(struct output *out)
{
	buf_flush(&out->file.buf);
	return 0;
}

int rows_end(struct output *out)
{
	return out->ops->rows->end(out->own);
}

void rows_free(struct output *out)
{
	out->ops->rows->free(out->own);
	out->own = NULL;
}
