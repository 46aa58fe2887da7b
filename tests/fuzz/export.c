/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows of a trace in each format, for libFuzzer: whatever events come, cells
 * are what emit/row.h promises, and each row that is written as text reads as
 * the cells that it was made of.  Of Parquet files only the ends are looked at
 * here; tests/parquet.t reads them.
 *
 * Inputs are those of tests/fuzz/blkparse.c, all files as one.  The first byte:
 * 1 the table events, else ios; 2 Parquet is packed.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/escape.h"
#include "emit/csv.h"
#include "emit/jsonl.h"
#include "emit/parquet.h"
#include "record/record.h"
#include "request/bounds.h"
#include "request/joiner.h"
#include "run/reader.h"
#include "tests/fuzz/must.h"
#include "tools/btexport/event_row.h"
#include "tools/btexport/io_row.h"
#include "tools/btexport/naming.h"
#include "tools/btexport/row_table.h"
#include "tools/btexport/tables.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEADER = 10, EVENTS = 1, PACKED = 2, TEXT_FORMATS = 3 };

/* where a text is read: what is left of it */
struct text {
	const char *at, *end;
};

/* a cell that was read: of a text its bytes, in room of the reader's */
struct found {
	bool null, quoted;
	char *bytes;
	size_t len;
};

struct writer {
	const struct row_ops *ops;
	struct row_writer *w;
	struct buf b;
};

struct run {
	struct row_shape shape;
	const struct column *columns[ROW_COLUMNS];
	unsigned int numbers[ROW_COLUMNS];
	struct writer texts[TEXT_FORMATS];
	struct writer parquet;
	struct reader *reader;
	struct naming *naming;
};

/* --- texts read ----------------------------------------------------------- */

static char take(struct text *t)
{
	must(t->at < t->end);
	return *t->at++;
}

static bool is_next(const struct text *t, char c)
{
	return t->at < t->end && *t->at == c;
}

static void add(struct found *f, char c)
{
	f->bytes[f->len++] = c;
}

static void read_csv(struct text *t, struct found *f)
{
	f->quoted = is_next(t, '"');
	if (!f->quoted) {
		while (!is_next(t, ',') && !is_next(t, '\n')) {
			char c = take(t);

			must(c != '"' && c != '\r');
			add(f, c);
		}
		f->null = !f->len;
		return;
	}
	take(t);
	for (;;) {
		char c = take(t);

		if (c == '"' && !is_next(t, '"'))
			return;
		if (c == '"')
			take(t);
		add(f, c);
	}
}

static char tsv_escape(char letter)
{
	static const char letters[] = "0tnr\\", bytes[] = "\0\t\n\r\\";
	const char *at = strchr(letters, letter);

	must(letter && at);
	return bytes[at - letters];
}

static void read_tsv(struct text *t, struct found *f)
{
	while (!is_next(t, '\t') && !is_next(t, '\n')) {
		char c = take(t);

		must(c && c != '\r');
		if (c != '\\') {
			add(f, c);
		} else if (is_next(t, 'N')) {
			take(t);
			f->null = true;
		} else {
			add(f, tsv_escape(take(t)));
		}
	}
	must(!f->null || !f->len);
}

static char json_escape(struct text *t)
{
	char digits[5] = "", *end;
	char c = take(t);

	if (c != 'u') {
		must(c == '"' || c == '\\');
		return c;
	}
	for (int i = 0; i < 4; i++)
		digits[i] = take(t);
	c = (char)strtoul(digits, &end, 16);
	must(!*end && digits[0] == '0' && digits[1] == '0');
	must(c < ' ' || c == 0x7f);
	return c;
}

static void read_json_text(struct text *t, struct found *f)
{
	while (!is_next(t, '"')) {
		char c = take(t);

		must((unsigned char)c >= ' ' && c != 0x7f);
		add(f, c == '\\' ? json_escape(t) : c);
	}
	take(t);
}

/* a value with its key, and what parts them */
static void read_json(struct text *t, struct found *f, const char *name)
{
	char key[64];
	int len = snprintf(key, sizeof(key), "\"%s\":", name);

	must(t->end - t->at > len && !memcmp(t->at, key, (size_t)len));
	t->at += len;
	f->quoted = is_next(t, '"');
	if (f->quoted) {
		take(t);
		read_json_text(t, f);
		return;
	}
	while (!is_next(t, ',') && !is_next(t, '}'))
		add(f, take(t));
	f->null = f->len == 4 && !memcmp(f->bytes, "null", 4);
}

/* --- rows ----------------------------------------------------------------- */

static void must_be_text(const struct cell *c)
{
	char *clean = malloc((size_t)c->len * UTF8_MAX + 1);

	must(clean != NULL);
	must(utf8_clean(clean, (size_t)c->len * UTF8_MAX + 1, c->text,
			c->len) == c->len);
	must(!memcmp(clean, c->text, c->len));
	free(clean);
}

/* what emit/row.h says of a cell */
static void check_cell(const struct column *column, const struct cell *c)
{
	if (c->null)
		must(column->may_be_null);
	else if (column->type == COLUMN_TEXT)
		must_be_text(c);
	else if (column->type == COLUMN_INT32)
		must(c->number >= INT32_MIN && c->number <= INT32_MAX);
}

static void must_be_same(const struct column *column, const struct cell *c,
			 const struct found *f)
{
	char *end;

	/* an empty text in csv is nothing, as null is */
	if (c->null || (f->null && column->type == COLUMN_TEXT && !c->len)) {
		must(f->null);
		return;
	}
	must(!f->null);
	if (column->type == COLUMN_TEXT) {
		must(f->len == c->len && !memcmp(f->bytes, c->text, f->len));
		return;
	}
	must(!f->quoted && f->len);
	f->bytes[f->len] = '\0';
	errno = 0;
	must(strtoll(f->bytes, &end, 10) == c->number && !*end && !errno);
}

static void check_json_row(const struct row_shape *shape,
			   const struct cell *cells, struct text *t, char *room)
{
	for (unsigned int i = 0; i < shape->count; i++) {
		struct found f = { .bytes = room };

		must(take(t) == (i ? ',' : '{'));
		read_json(t, &f, shape->columns[i]->name);
		must(f.null || f.quoted ==
		     (shape->columns[i]->type == COLUMN_TEXT));
		must_be_same(shape->columns[i], &cells[i], &f);
	}
	must(take(t) == '}');
	must(take(t) == '\n');
}

static void check_row(const struct row_shape *shape, const struct cell *cells,
		      const struct row_ops *ops, struct text *t, char *room)
{
	const bool tsv = ops == &tsv_ops;
	const char parting = tsv ? '\t' : ',';

	for (unsigned int i = 0; i < shape->count; i++) {
		struct found f = { .bytes = room };

		if (tsv)
			read_tsv(t, &f);
		else
			read_csv(t, &f);
		must_be_same(shape->columns[i], &cells[i], &f);
		must(take(t) == (i + 1 < shape->count ? parting : '\n'));
	}
}

/* The buffer is so large that a row stays in it. */
static void write_text(const struct row_shape *shape, struct writer *w,
		       const struct cell *cells)
{
	struct text t;
	char *room;

	must(!w->ops->row(w->w, cells) && !w->b.error);
	room = malloc(w->b.len + 1);
	must(room != NULL);
	t = (struct text){ w->b.data, w->b.data + w->b.len };
	if (w->ops == &jsonl_ops)
		check_json_row(shape, cells, &t, room);
	else
		check_row(shape, cells, w->ops, &t, room);
	must(t.at == t.end);
	free(room);
	w->b.len = 0;
}

static void take_row(struct run *r, const struct cell *cells)
{
	for (unsigned int i = 0; i < r->shape.count; i++)
		check_cell(r->shape.columns[i], &cells[i]);
	for (int i = 0; i < TEXT_FORMATS; i++)
		write_text(&r->shape, &r->texts[i], cells);
	must(!r->parquet.ops->row(r->parquet.w, cells));
}

/* --- writers -------------------------------------------------------------- */

static void open_writer(struct run *r, struct writer *w,
			const struct row_ops *ops, int fd,
			const struct row_options *o)
{
	w->ops = ops;
	must(!buf_init(&w->b, fd, 1 << 20));
	must(!ops->open(&w->w, &w->b, &r->shape, o));
}

static void open_writers(struct run *r, uint8_t head)
{
	static const struct row_ops *const texts[TEXT_FORMATS] = {
		&csv_ops, &tsv_ops, &jsonl_ops };
	const struct row_options o = { .packed = head & PACKED, .schema = 1 };

	for (int i = 0; i < TEXT_FORMATS; i++)
		open_writer(r, &r->texts[i], texts[i], -1, &o);
	open_writer(r, &r->parquet, &parquet_ops,
		    memfd_create("parquet", MFD_CLOEXEC), &o);
	must(r->parquet.b.fd >= 0);
}

/* its ends, and the length of what is before the last of them */
static void check_parquet(int fd)
{
	off_t size = lseek(fd, 0, SEEK_END);
	uint8_t first[4], last[8];
	uint32_t len;

	must(size > 12);
	must(pread(fd, first, 4, 0) == 4 && pread(fd, last, 8, size - 8) == 8);
	must(!memcmp(first, "PAR1", 4) && !memcmp(last + 4, "PAR1", 4));
	len = last[0] | (uint32_t)last[1] << 8 | (uint32_t)last[2] << 16 |
	      (uint32_t)last[3] << 24;
	must(len && len <= size - 12);
}

static void close_writer(struct writer *w)
{
	must(!w->ops->end(w->w));
	w->ops->free(w->w);
	if (w->b.fd >= 0) {
		must(!buf_flush(&w->b));
		check_parquet(w->b.fd);
		close(w->b.fd);
	}
	buf_free(&w->b);
}

/* --- the run -------------------------------------------------------------- */

static void choose_columns(struct run *r, enum table_kind kind)
{
	const struct row_table *table = tables_get(kind);

	r->shape = (struct row_shape){ table->name, r->columns, table->count };
	for (unsigned int i = 0; i < table->count; i++) {
		r->numbers[i] = i;
		r->columns[i] = row_table_column(table, i);
	}
}

/* the next event, or NULL: what is damaged only ends it */
static const struct event *next_event(struct run *r)
{
	const struct event *ev;
	int got;

	do {
		got = reader_next(r->reader, &ev);
	} while (got == -EAGAIN || got == -EINTR);
	return got == 1 ? ev : NULL;
}

static void take_ios(struct run *r, struct joiner *j, struct io_row *row)
{
	const struct io *io;

	while (joiner_next(j, &io))
		take_row(r, io_row_make(row, io));
}

static void export_ios(struct run *r)
{
	/* few, as to have room for many takes time */
	static const struct joiner_bounds bounds = {
		.ios = 4096, .looks = 256, .chain = 32, .remaps = 64,
		.plugged = 64, .pids = 256 };
	const struct event *ev;
	struct joiner *j;
	struct io_row *row;
	uint64_t end = 0;

	must(!joiner_new(&j, &bounds) && !joiner_want_seeks(j));
	must(!io_row_new(&row, r->reader, r->naming, r->numbers,
			 r->shape.count));
	while ((ev = next_event(r))) {
		joiner_event(j, ev);
		take_ios(r, j, row);
		end = ev->time;
	}
	joiner_end(j, end, false);
	take_ios(r, j, row);
	io_row_free(row);
	joiner_free(j);
}

static void export_events(struct run *r)
{
	const struct event *ev;
	struct event_row *row;

	must(!event_row_new(&row, r->reader, r->naming, r->numbers,
			    r->shape.count));
	while ((ev = next_event(r)))
		take_row(r, event_row_make(row, ev));
	event_row_free(row);
}

static void export_table(struct run *r, uint8_t head)
{
	must(!naming_new(&r->naming, r->reader, "a host\xff/"));
	choose_columns(r, head & EVENTS ? TABLE_EVENTS : TABLE_IOS);
	open_writers(r, head);
	if (head & EVENTS)
		export_events(r);
	else
		export_ios(r);
	for (int i = 0; i < TEXT_FORMATS; i++)
		close_writer(&r->texts[i]);
	close_writer(&r->parquet);
	naming_free(r->naming);
}

static void export_file(const char *path, uint8_t head)
{
	const struct reader_options o = { .window = WINDOW_ALL };
	struct run r = { .naming = NULL };

	must(!reader_open(&r.reader, &o));
	if (!reader_add(r.reader, path))
		export_table(&r, head);
	reader_close(r.reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[40];
	int fd;

	if (size <= HEADER)
		return 0;
	fd = memfd_create("fuzz", MFD_CLOEXEC);
	must(fd >= 0);
	must(write(fd, data + HEADER, size - HEADER) ==
	     (ssize_t)(size - HEADER));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	export_file(path, data[0]);
	close(fd);
	return 0;
}
