/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows of a Parquet file; see parquet_reader.h. */
#include "emit/parquet_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/little.h"
#include "emit/parquet/page_reader.h"
#include "emit/parquet/thrift_reader.h"
#include "emit/row.h"

enum {
	TAIL = 8,		/* the footer's length, and PAR1 */
	FOOTER_MOST = 64 << 20,
	NAME_MOST = 64,
	INT32 = 1, INT64 = 2, BYTE_ARRAY = 6,	/* the format's types */
	OPTIONAL = 1, GZIP = 2
};

struct parquet_reader {
	int fd;
	uint64_t size;		/* of the file */
	uint64_t rows;
	unsigned int schema;
	char table[NAME_MOST];
	char names[ROW_COLUMNS][NAME_MOST];
	struct column columns[ROW_COLUMNS];
	const struct column *list[ROW_COLUMNS];
	struct row_shape shape;
	struct page_place *places;	/* of all groups' columns */
	size_t place_count, place_size;
	uint64_t *group_rows;
	size_t group_count, group_size;
	size_t group;		/* the next one to begin */
	uint64_t left;		/* rows of the current one */
	struct page_reader pages[ROW_COLUMNS];
};

/* a value of the footer */
struct value {
	struct thrift_reader *t;
	int type, field;
};

static bool is(const struct value *v, int field, int type)
{
	return v->field == field && v->type == type;
}

/* --- columns -------------------------------------------------------------- */

struct element {
	int64_t type, repetition;
	const char *name;
	size_t len;
	bool root;
};

static void read_element(struct thrift_reader *t, struct element *e)
{
	struct value v = { .t = t };

	*e = (struct element){ .type = -1 };
	thrift_enter(t);
	while ((v.type = thrift_next(t, &v.field)))
		if (is(&v, 1, THRIFT_I32))
			e->type = thrift_read_number(t);
		else if (is(&v, 3, THRIFT_I32))
			e->repetition = thrift_read_number(t);
		else if (is(&v, 4, THRIFT_BINARY))
			e->name = thrift_read_binary(t, &e->len);
		else if (is(&v, 5, THRIFT_I32))
			e->root = thrift_read_number(t) > 0;
		else
			thrift_pass(t, v.type);
}

static int add_column(struct parquet_reader *r, const struct element *e)
{
	unsigned int n = r->shape.count;

	if (n == ROW_COLUMNS || !e->name || e->len >= NAME_MOST ||
	    (e->type != INT32 && e->type != INT64 && e->type != BYTE_ARRAY))
		return -EBADMSG;
	memcpy(r->names[n], e->name, e->len);
	r->columns[n] = (struct column){
		.name = r->names[n], .unit = "", .words = "",
		.type = e->type == INT32 ? COLUMN_INT32 :
			e->type == INT64 ? COLUMN_INT64 : COLUMN_TEXT,
		.may_be_null = e->repetition == OPTIONAL };
	r->list[n] = &r->columns[n];
	r->shape.count++;
	return 0;
}

static int read_columns(struct parquet_reader *r, struct thrift_reader *t)
{
	struct element e;
	int type, err = 0;
	uint32_t count = thrift_read_list(t, &type);

	if (type != THRIFT_STRUCT || r->shape.count)
		return -EBADMSG;
	for (uint32_t i = 0; !err && !t->bad && i < count; i++) {
		read_element(t, &e);
		if (!e.root)
			err = add_column(r, &e);
	}
	return err;
}

/* --- groups --------------------------------------------------------------- */

static void read_meta(struct thrift_reader *t, struct page_place *p)
{
	struct value v = { .t = t };
	int64_t data = 0, dictionary = 0;

	thrift_enter(t);
	while ((v.type = thrift_next(t, &v.field)))
		if (is(&v, 4, THRIFT_I32))
			p->packed = thrift_read_number(t) == GZIP;
		else if (is(&v, 7, THRIFT_I64))
			p->stored = (uint64_t)thrift_read_number(t);
		else if (is(&v, 9, THRIFT_I64))
			data = thrift_read_number(t);
		else if (is(&v, 11, THRIFT_I64))
			dictionary = thrift_read_number(t);
		else
			thrift_pass(t, v.type);
	p->texts_first = dictionary > 0;
	p->at = (uint64_t)(dictionary > 0 ? dictionary : data);
}

static int read_chunk(struct parquet_reader *r, struct thrift_reader *t)
{
	struct page_place *list = array_reserve(r->places, r->place_count,
						&r->place_size, 64,
						sizeof(*list));
	struct page_place p = { .at = 0 };
	struct value v = { .t = t };

	if (!list)
		return -ENOMEM;
	r->places = list;
	thrift_enter(t);
	while ((v.type = thrift_next(t, &v.field)))
		if (is(&v, 3, THRIFT_STRUCT))
			read_meta(t, &p);
		else
			thrift_pass(t, v.type);
	if (p.at > r->size || p.stored > r->size - p.at)
		return -EBADMSG;
	list[r->place_count++] = p;
	return 0;
}

static int read_chunks(struct parquet_reader *r, struct thrift_reader *t)
{
	int type, err = 0;
	uint32_t count = thrift_read_list(t, &type);

	if (type != THRIFT_STRUCT || count != r->shape.count)
		return -EBADMSG;
	for (uint32_t i = 0; !err && !t->bad && i < count; i++)
		err = read_chunk(r, t);
	return err;
}

static int read_group(struct parquet_reader *r, struct thrift_reader *t)
{
	uint64_t *list = array_reserve(r->group_rows, r->group_count,
				       &r->group_size, 16, sizeof(*list));
	struct value v = { .t = t };
	uint64_t rows = 0;
	bool chunks = false;
	int err = 0;

	if (!list)
		return -ENOMEM;
	r->group_rows = list;
	thrift_enter(t);
	while (!err && (v.type = thrift_next(t, &v.field)))
		if (is(&v, 1, THRIFT_LIST) && !chunks) {
			err = read_chunks(r, t);
			chunks = true;
		} else if (is(&v, 3, THRIFT_I64)) {
			rows = (uint64_t)thrift_read_number(t);
		} else {
			thrift_pass(t, v.type);
		}
	list[r->group_count++] = rows;
	return err ? err : chunks ? 0 : -EBADMSG;
}

static int read_groups(struct parquet_reader *r, struct thrift_reader *t)
{
	int type, err = 0;
	uint32_t count = thrift_read_list(t, &type);

	if (count && type != THRIFT_STRUCT)
		return -EBADMSG;
	for (uint32_t i = 0; !err && !t->bad && i < count; i++)
		err = read_group(r, t);
	return err;
}

/* --- the footer ----------------------------------------------------------- */

static bool is_text(const char *text, size_t len, const char *word)
{
	return len == strlen(word) && !memcmp(text, word, len);
}

static void take_key(struct parquet_reader *r, const char *key, size_t key_len,
		     const char *value, size_t len)
{
	char text[NAME_MOST] = "";

	if (len >= sizeof(text))
		return;
	memcpy(text, value, len);
	if (is_text(key, key_len, "blktrace.table"))
		memcpy(r->table, text, sizeof(text));
	else if (is_text(key, key_len, "blktrace.schema"))
		r->schema = (unsigned int)strtoul(text, NULL, 10);
}

static void read_key(struct parquet_reader *r, struct thrift_reader *t)
{
	const char *key = "", *value = "";
	size_t key_len = 0, len = 0;
	struct value v = { .t = t };

	thrift_enter(t);
	while ((v.type = thrift_next(t, &v.field)))
		if (is(&v, 1, THRIFT_BINARY))
			key = thrift_read_binary(t, &key_len);
		else if (is(&v, 2, THRIFT_BINARY))
			value = thrift_read_binary(t, &len);
		else
			thrift_pass(t, v.type);
	take_key(r, key, key_len, value, len);
}

static int read_keys(struct parquet_reader *r, struct thrift_reader *t)
{
	int type;
	uint32_t count = thrift_read_list(t, &type);

	if (count && type != THRIFT_STRUCT)
		return -EBADMSG;
	for (uint32_t i = 0; !t->bad && i < count; i++)
		read_key(r, t);
	return 0;
}

static int parse_footer(struct parquet_reader *r, const uint8_t *bytes,
			size_t len)
{
	struct thrift_reader t = { .at = bytes, .end = bytes + len };
	struct value v = { .t = &t };
	int err = 0;

	thrift_enter(&t);
	while (!err && (v.type = thrift_next(&t, &v.field)))
		if (is(&v, 2, THRIFT_LIST))
			err = read_columns(r, &t);
		else if (is(&v, 3, THRIFT_I64))
			r->rows = (uint64_t)thrift_read_number(&t);
		else if (is(&v, 4, THRIFT_LIST))
			err = read_groups(r, &t);
		else if (is(&v, 5, THRIFT_LIST))
			err = read_keys(r, &t);
		else
			thrift_pass(&t, v.type);
	if (!err && (t.bad || !r->shape.count))
		err = -EBADMSG;
	return err;
}

/* len bytes at a place of the file, to be freed */
static int read_part(int fd, uint64_t at, size_t len, uint8_t **bytes)
{
	ssize_t n;

	*bytes = malloc(len + 1);
	if (!*bytes)
		return -ENOMEM;
	n = pread(fd, *bytes, len, (off_t)at);
	if (n == (ssize_t)len)
		return 0;
	free(*bytes);
	return n < 0 ? -errno : -EBADMSG;
}

static int read_footer(struct parquet_reader *r)
{
	uint8_t *tail, *bytes;
	uint32_t len;
	bool good;
	int err;

	if (r->size < TAIL)
		return -EBADMSG;
	err = read_part(r->fd, r->size - TAIL, TAIL, &tail);
	if (err)
		return err;
	len = get_le32(tail);
	good = !memcmp(tail + 4, "PAR1", 4);
	free(tail);
	if (!good || len > FOOTER_MOST || len > r->size - TAIL)
		return -EBADMSG;
	err = read_part(r->fd, r->size - TAIL - len, len, &bytes);
	if (err)
		return err;
	err = parse_footer(r, bytes, len);
	free(bytes);
	return err;
}

int parquet_reader_open(struct parquet_reader **out, int fd)
{
	struct parquet_reader *r = calloc(1, sizeof(*r));
	struct stat st;
	int err;

	*out = r;
	if (!r)
		return -ENOMEM;
	r->fd = fd;
	r->shape = (struct row_shape){ .table = r->table, .columns = r->list };
	err = fstat(fd, &st) ? -errno : 0;
	r->size = err ? 0 : (uint64_t)st.st_size;
	if (!err)
		err = read_footer(r);
	if (!err)
		return 0;
	parquet_reader_close(r);
	*out = NULL;
	return err;
}

const struct row_shape *parquet_reader_shape(const struct parquet_reader *r)
{
	return &r->shape;
}

uint64_t parquet_reader_rows(const struct parquet_reader *r)
{
	return r->rows;
}

unsigned int parquet_reader_schema(const struct parquet_reader *r)
{
	return r->schema;
}

void parquet_reader_close(struct parquet_reader *r)
{
	if (!r)
		return;
	for (unsigned int i = 0; i < ROW_COLUMNS; i++)
		page_reader_free(&r->pages[i]);
	free(r->places);
	free(r->group_rows);
	free(r);
}

/* --- rows ----------------------------------------------------------------- */

static void begin_group(struct parquet_reader *r)
{
	unsigned int count = r->shape.count;
	const struct page_place *places = &r->places[r->group * count];

	for (unsigned int i = 0; i < count; i++)
		page_reader_begin(&r->pages[i], r->fd, r->list[i], &places[i]);
	r->left = r->group_rows[r->group++];
}

/* The next value of a column. */
static int take(struct page_reader *p, struct cell *c)
{
	int err = p->next < p->count ? 0 : page_reader_load(p);

	if (err)
		return err == -ENODATA ? -EBADMSG : err;
	*c = p->cells[p->next++];
	return 0;
}

int parquet_reader_next(struct parquet_reader *r, struct cell *cells)
{
	while (!r->left) {
		if (r->group == r->group_count)
			return 0;
		begin_group(r);
	}
	for (unsigned int i = 0; i < r->shape.count; i++) {
		int err = take(&r->pages[i], &cells[i]);

		if (err)
			return err;
	}
	r->left--;
	return 1;
}
