/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows as a Parquet file; see parquet.h.
 *
 * The file is "PAR1", the row groups, the footer, its length as 32 bits, and
 * "PAR1" again.  A group is its columns: for texts a dictionary page with the
 * distinct ones, then the pages of data.
 *
 * Rows are copied into batches of 64, which are encoded column by column: that
 * is faster than switching columns for every cell.  Texts do not outlive their
 * row, so they enter the dictionary at once.
 */
#include "emit/parquet.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hint.h"
#include "emit/parquet/chain.h"
#include "emit/parquet/chunk.h"
#include "emit/parquet/footer.h"
#include "emit/parquet/page.h"
#include "emit/row.h"

enum {
	GROUP = 131072,		/* rows */
	KEPT = 7 << 20		/* bytes that end a group */
};

static const char magic[] = { 'P', 'A', 'R', '1' };

struct row_writer {
	struct buf *out;
	const struct row_shape *shape;
	uint64_t at;		/* bytes of the file so far */
	struct chain_pool pool;	/* of the group */
	struct chain_pool footer_pool;
	struct footer footer;
	struct page_maker *pages;
	struct chunk *chunks;	/* one for each column */
	unsigned int chunk_count;	/* of them initialized */
	struct cell *batch;	/* CHUNK_BATCH rows */
	unsigned int batch_rows;
	uint32_t page_rows, group_rows;	/* without the batch */
	unsigned int text_count;
	struct text_column {
		unsigned int column;
		struct chunk_texts *texts;	/* its chunk's */
	} texts[ROW_COLUMNS];	/* the columns that are texts */
};

/* --- output --------------------------------------------------------------- */

static void put_bytes(struct row_writer *w, const void *bytes, size_t len)
{
	buf_append(w->out, bytes, len);
	w->at += len;
}

static void put_chain(struct row_writer *w, struct chain *c)
{
	w->at += c->len;
	chain_write(c, w->out);
}

static int put_chunk(struct row_writer *w, struct chunk *c)
{
	struct footer_place place = { .at = w->at };
	struct chain dictionary = { .pool = &w->pool };
	int err = 0;

	if (c->texts)
		err = chunk_dictionary(c, w->pages, &dictionary);
	if (!err) {
		place.dictionary = dictionary.len;
		place.pages = c->pages.len;
		footer_chunk(&w->footer, c, &place);
		chunk_judge(c, place.dictionary + place.pages);
		put_chain(w, &dictionary);
		put_chain(w, &c->pages);
	}
	chain_clear(&dictionary);
	return err;
}

/* --- batches, pages, groups ---------------------------------------------- */

/* Waits until threads have packed the pages. */
static int settle(struct row_writer *w)
{
	int err = 0;

	for (unsigned int i = w->shape->count; i-- && !err;)
		err = chunk_settle(&w->chunks[i]);
	return err;
}

static int end_group(struct row_writer *w)
{
	uint64_t at = w->at;
	int err;

	if (!w->group_rows)
		return 0;
	err = settle(w);
	if (err)
		return err;
	footer_group(&w->footer);
	for (unsigned int i = 0; i < w->shape->count && !err; i++)
		err = put_chunk(w, &w->chunks[i]);
	if (!err)
		err = footer_group_end(&w->footer, at, w->group_rows);
	for (unsigned int i = 0; i < w->shape->count; i++)
		chunk_clear(&w->chunks[i]);
	w->group_rows = 0;
	return err;
}

static int end_page(struct row_writer *w)
{
	int err;

	if (!w->page_rows)
		return 0;
	err = settle(w);
	for (unsigned int i = 0; i < w->shape->count && !err; i++)
		err = chunk_page(&w->chunks[i], w->pages);
	w->group_rows += w->page_rows;
	w->page_rows = 0;
	return err;
}

static int take_batch(struct row_writer *w)
{
	unsigned int count = w->shape->count;
	int err = 0;

	for (unsigned int i = 0; i < count && !err; i++)
		err = chunk_take(&w->chunks[i], w->batch + i, count,
				 w->batch_rows);
	w->page_rows += w->batch_rows;
	w->batch_rows = 0;
	return err;
}

/* Writes all rows so far as a group. */
static int flush(struct row_writer *w)
{
	int err = take_batch(w);

	if (!err)
		err = end_page(w);
	return err ? err : end_group(w);
}

/* The size of a page is known when it is packed. */
static int find_used(struct row_writer *w)
{
	return w->pool.used > KEPT ? settle(w) : 0;
}

static int end_batch(struct row_writer *w)
{
	int err = find_used(w);

	if (err)
		return err;
	if (w->pool.used > KEPT)
		return flush(w);
	if (w->batch_rows < CHUNK_BATCH)
		return 0;
	err = take_batch(w);
	if (!err && w->page_rows == CHUNK_PAGE)
		err = end_page(w);
	if (!err && w->group_rows == GROUP)
		err = end_group(w);
	return err;
}

/* --- row_ops -------------------------------------------------------------- */

static int parquet_row(struct row_writer *w, const struct cell *cells)
{
	unsigned int count = w->shape->count;

	memcpy(w->batch + w->batch_rows * count, cells, count * sizeof(*cells));
	for (unsigned int i = 0; i < w->text_count; i++) {
		const struct cell *c = &cells[w->texts[i].column];

		if (!c->null && UNLIKELY(chunk_text(w->texts[i].texts, c->text,
						    c->len)))
			return -ENOMEM;
	}
	w->batch_rows++;
	if (w->batch_rows == CHUNK_BATCH || UNLIKELY(w->pool.used > KEPT))
		return end_batch(w);
	return 0;
}

static int parquet_end(struct row_writer *w)
{
	struct chain footer = { .pool = &w->footer_pool };
	uint32_t len;
	int err = flush(w);

	if (!err)
		err = footer_make(&w->footer, &footer);
	if (!err) {
		len = htole32((uint32_t)footer.len);
		put_chain(w, &footer);
		put_bytes(w, &len, sizeof(len));
		put_bytes(w, magic, sizeof(magic));
	}
	chain_clear(&footer);
	return err;
}

static void parquet_free(struct row_writer *w)
{
	if (!w)
		return;
	for (unsigned int i = 0; i < w->chunk_count; i++)
		chunk_free(&w->chunks[i]);
	free(w->chunks);
	free(w->batch);
	page_maker_free(w->pages);
	chain_clear(&w->footer.groups);
	chain_pool_free(&w->pool);
	chain_pool_free(&w->footer_pool);
	free(w);
}

/* Initializes the chunks, and lists those of texts. */
static int make_chunks(struct row_writer *w)
{
	unsigned int count = w->shape->count;

	w->chunks = calloc(count, sizeof(*w->chunks));
	if (!w->chunks)
		return -ENOMEM;
	for (unsigned int i = 0; i < count; i++) {
		const struct column *column = w->shape->columns[i];

		if (chunk_init(&w->chunks[i], column, &w->pool))
			return -ENOMEM;
		w->chunk_count++;
		if (column->type == COLUMN_TEXT)
			w->texts[w->text_count++] = (struct text_column){
				i, w->chunks[i].texts
			};
	}
	return 0;
}

static int parquet_open(struct row_writer **to, struct buf *b,
			const struct row_shape *shape,
			const struct row_options *o)
{
	struct row_writer *w = calloc(1, sizeof(*w));

	if (!w)
		return -ENOMEM;
	w->out = b;
	w->shape = shape;
	w->footer.shape = shape;
	w->footer.packed = o->packed;
	w->footer.schema = o->schema;
	w->footer.groups.pool = &w->footer_pool;
	w->batch = malloc(CHUNK_BATCH * shape->count * sizeof(*w->batch));
	w->pages = page_maker_new(&w->pool, o->packed, o->tasks);
	if (!w->batch || !w->pages || make_chunks(w)) {
		parquet_free(w);
		return -ENOMEM;
	}
	put_bytes(w, magic, sizeof(magic));
	*to = w;
	return 0;
}

const struct row_ops parquet_ops = {
	.open = parquet_open,
	.row = parquet_row,
	.end = parquet_end,
	.free = parquet_free,
};
