/* SPDX-License-Identifier: GPL-2.0-only */
/* An SQLite database; see sqlite.h.  Only this file includes sqlite3.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "base/buf.h"
#include "emit/ddl.h"
#include "emit/row.h"
#include "emit/sqlite.h"

/* 3.37: STRICT; window functions and log2() came before */
#if SQLITE_VERSION_NUMBER < 3037000
#error "SQLite 3.37 or newer is needed; or say make SQLITE=no"
#endif

enum {
	STATEMENT_SIZE = 16384,	/* of ROW_COLUMNS columns */
	STEPS = 100000		/* of a query between checks of *stop: 1 ms */
};

struct rows {
	sqlite3_stmt *insert;
	unsigned int count;	/* of columns */
	enum column_type types[ROW_COLUMNS];
};

struct sqlite {
	sqlite3 *db;
	struct rows tables[SQLITE_TABLES];
	unsigned int table_count;
	const volatile sig_atomic_t *stop;	/* or NULL */
	int stop_bits;
};

struct sqlite_answer {
	sqlite3_stmt *query;
	struct row_shape shape;
	const struct column *list[ROW_COLUMNS];
	struct column columns[ROW_COLUMNS];	/* own their names */
};

/* --- errors --------------------------------------------------------------- */

struct meaning {
	int code;		/* SQLite's; 0 at the end */
	int err;
};

static const struct meaning meanings[] = {
	{ SQLITE_NOMEM, -ENOMEM },
	{ SQLITE_FULL, -ENOSPC },
	{ SQLITE_INTERRUPT, -EINTR },
	{ 0, -EIO }
};

static int error_of(int code)
{
	const struct meaning *m = meanings;

	if (code == SQLITE_OK)
		return 0;
	while (m->code && m->code != (code & 0xff))
		m++;
	return m->err;
}

/* The library only reports an I/O error. */
static const char *system_error(sqlite3 *db)
{
	int code = sqlite3_errcode(db), err = sqlite3_system_errno(db);

	return err && (code == SQLITE_IOERR || code == SQLITE_CANTOPEN) ?
	       strerror(err) : NULL;
}

const char *sqlite_error(const struct sqlite *s)
{
	const char *text;

	if (!s || !s->db)
		return "out of memory";
	text = system_error(s->db);
	return text ? text : sqlite3_errmsg(s->db);
}

static int run(struct sqlite *s, const char *statements)
{
	return error_of(sqlite3_exec(s->db, statements, NULL, NULL, NULL));
}

/* --- opening -------------------------------------------------------------- */

/* One writer of a new file, which is renamed when complete: no journal.  A page
 * of 16 KiB holds some hundred rows. */
static int prepare_file(struct sqlite *s, uint32_t schema)
{
	char text[256];

	snprintf(text, sizeof(text),
		 "PRAGMA page_size = 16384; PRAGMA journal_mode = OFF;"
		 "PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;"
		 "PRAGMA application_id = %d; PRAGMA user_version = %u; BEGIN;",
		 SQLITE_APPLICATION, schema);
	return run(s, text);
}

int sqlite_open(struct sqlite **to, const char *path, uint32_t schema)
{
	struct sqlite *s = calloc(1, sizeof(*s));
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
		    SQLITE_OPEN_NOMUTEX;
	int err;

	*to = s;
	if (!s)
		return -ENOMEM;
	err = error_of(sqlite3_open_v2(path ? path : ":memory:", &s->db, flags,
				       NULL));
	return err ? err : prepare_file(s, schema);
}

static int is_over(void *sqlite)
{
	struct sqlite *s = sqlite;

	return (*s->stop & s->stop_bits) != 0;
}

void sqlite_stop_when(struct sqlite *s, const volatile sig_atomic_t *stop,
		      int bits)
{
	s->stop = stop;
	s->stop_bits = bits;
	sqlite3_progress_handler(s->db, STEPS, is_over, s);
}

/* --- rows ----------------------------------------------------------------- */

static void insert_text(struct buf *b, const struct row_shape *shape)
{
	unsigned int i;

	buf_printf(b, "INSERT INTO %s VALUES (", shape->table);
	for (i = 0; i < shape->count; i++)
		buf_append(b, i ? ",?" : "?", i ? 2 : 1);
	buf_append(b, ")", 1);
}

static int create(struct sqlite *s, const struct row_shape *shape,
		  struct rows *rows)
{
	struct buf b;
	int err = buf_init(&b, -1, STATEMENT_SIZE);

	if (err)
		return err;
	ddl_table(&b, DDL_SQLITE, shape, NULL);
	buf_append(&b, "", 1);
	err = b.error ? -b.error : run(s, b.data);
	b.len = 0;
	insert_text(&b, shape);
	if (!err && !b.error)
		err = error_of(sqlite3_prepare_v2(s->db, b.data, (int)b.len,
						  &rows->insert, NULL));
	buf_free(&b);
	return err;
}

int sqlite_table(struct sqlite *s, const struct row_shape *shape)
{
	struct rows *rows = &s->tables[s->table_count];
	unsigned int i;
	int err;

	if (s->table_count == SQLITE_TABLES || shape->count > ROW_COLUMNS)
		return -E2BIG;
	err = create(s, shape, rows);
	if (err)
		return err;
	rows->count = shape->count;
	for (i = 0; i < shape->count; i++)
		rows->types[i] = shape->columns[i]->type;
	return (int)s->table_count++;
}

static int bind(sqlite3_stmt *insert, int at, enum column_type type,
		const struct cell *c)
{
	if (c->null)
		return sqlite3_bind_null(insert, at);
	if (type != COLUMN_TEXT)
		return sqlite3_bind_int64(insert, at, c->number);
	return sqlite3_bind_text64(insert, at, c->text, c->len, SQLITE_STATIC,
				   SQLITE_UTF8);
}

int sqlite_row(struct sqlite *s, unsigned int table, const struct cell *cells)
{
	struct rows *rows = &s->tables[table];
	int code = SQLITE_OK;
	unsigned int i;

	for (i = 0; i < rows->count && code == SQLITE_OK; i++)
		code = bind(rows->insert, (int)i + 1, rows->types[i],
			    &cells[i]);
	if (code != SQLITE_OK)
		return error_of(code);
	sqlite3_step(rows->insert);
	return error_of(sqlite3_reset(rows->insert));
}

/* --- ending --------------------------------------------------------------- */

static void finish_inserts(struct sqlite *s)
{
	unsigned int i;

	for (i = 0; i < s->table_count; i++) {
		sqlite3_finalize(s->tables[i].insert);
		s->tables[i].insert = NULL;
	}
}

/*
 * Runs the first statement of *script and moves past it.  A statement that
 * cannot be prepared needs columns that were not selected.
 */
static int run_next(struct sqlite *s, const char **script)
{
	const char *from = *script;
	sqlite3_stmt *statement;
	int code = sqlite3_prepare_v2(s->db, from, -1, &statement, script);

	if (code == SQLITE_ERROR) {
		from = strchr(from, ';');
		*script = from ? from + 1 : "";
		return 0;
	}
	if (code != SQLITE_OK)
		return error_of(code);
	if (statement)		/* else it is a comment */
		sqlite3_step(statement);
	return error_of(sqlite3_finalize(statement));
}

/* SQLite creates views of missing columns, but cannot read them. */
static int is_readable(struct sqlite *s, const char *view, bool *readable)
{
	char *text = sqlite3_mprintf("SELECT * FROM \"%w\"", view);
	sqlite3_stmt *query;
	int code;

	if (!text)
		return -ENOMEM;
	code = sqlite3_prepare_v2(s->db, text, -1, &query, NULL);
	sqlite3_free(text);
	sqlite3_finalize(query);
	*readable = code == SQLITE_OK;
	return code == SQLITE_ERROR ? 0 : error_of(code);
}

/* *name: a view that cannot be read, to be freed, or NULL */
static int find_unreadable(struct sqlite *s, char **name)
{
	sqlite3_stmt *views;
	bool readable = true;
	int err = error_of(sqlite3_prepare_v2(s->db,
			"SELECT name FROM sqlite_master WHERE type = 'view'",
			-1, &views, NULL));

	*name = NULL;
	while (!err && readable && sqlite3_step(views) == SQLITE_ROW) {
		const char *view = (const char *)sqlite3_column_text(views, 0);

		err = is_readable(s, view, &readable);
		if (!err && !readable) {
			*name = sqlite3_mprintf("%s", view);
			err = *name ? 0 : -ENOMEM;
		}
	}
	if (err) {
		sqlite3_finalize(views);
		return err;
	}
	return error_of(sqlite3_finalize(views));
}

static int drop_view(struct sqlite *s, const char *name)
{
	char *text = sqlite3_mprintf("DROP VIEW \"%w\"", name);
	int err = text ? run(s, text) : -ENOMEM;

	sqlite3_free(text);
	return err;
}

static int drop_unreadable(struct sqlite *s)
{
	char *name;
	int err = find_unreadable(s, &name);

	while (!err && name) {
		err = drop_view(s, name);
		sqlite3_free(name);
		name = NULL;
		if (!err)
			err = find_unreadable(s, &name);
	}
	sqlite3_free(name);
	return err;
}

int sqlite_end(struct sqlite *s, const char *script)
{
	int err = 0;

	finish_inserts(s);
	while (!err && script && *script)
		err = run_next(s, &script);
	if (!err)
		err = drop_unreadable(s);
	return err ? err : run(s, "COMMIT");
}

void sqlite_free(struct sqlite *s)
{
	if (!s)
		return;
	finish_inserts(s);
	sqlite3_close(s->db);
	free(s);
}

/* --- answers -------------------------------------------------------------- */

/* whether it comes from a column of text, also through nested queries */
static bool is_text(sqlite3_stmt *query, int at)
{
	const char *type = sqlite3_column_decltype(query, at);

	return type && !strcmp(type, "TEXT");
}

/* Copies names: the first row may change the library's. */
static int describe(struct sqlite_answer *a)
{
	unsigned int i, count = (unsigned int)sqlite3_column_count(a->query);

	if (count > ROW_COLUMNS)
		return -E2BIG;
	a->shape = (struct row_shape){ "answer", a->list, count };
	for (i = 0; i < count; i++) {
		struct column *c = &a->columns[i];
		const char *name = sqlite3_column_name(a->query, (int)i);

		*c = (struct column){ .type = is_text(a->query, (int)i) ?
						COLUMN_TEXT : COLUMN_INT64,
				      .may_be_null = true, .unit = "",
				      .words = "" };
		c->name = name ? strdup(name) : NULL;
		if (!c->name)
			return -ENOMEM;
		a->list[i] = c;
	}
	return 0;
}

int sqlite_ask(struct sqlite *s, const char *sql, size_t len,
	       struct sqlite_answer **to)
{
	struct sqlite_answer *a = calloc(1, sizeof(*a));
	int err;

	*to = NULL;
	if (!a)
		return -ENOMEM;
	err = error_of(sqlite3_prepare_v2(s->db, sql, (int)len, &a->query,
					  NULL));
	if (!err)
		err = describe(a);
	if (err)
		sqlite_answer_free(a);
	else
		*to = a;
	return err;
}

const struct row_shape *sqlite_answer_shape(const struct sqlite_answer *a)
{
	return &a->shape;
}

static int fill(struct sqlite_answer *a, int at, struct cell *c)
{
	c->null = sqlite3_column_type(a->query, at) == SQLITE_NULL;
	if (c->null)
		return 0;
	if (a->columns[at].type != COLUMN_TEXT) {
		c->number = sqlite3_column_int64(a->query, at);
		return 0;
	}
	c->text = (const char *)sqlite3_column_text(a->query, at);
	c->len = (uint32_t)sqlite3_column_bytes(a->query, at);
	return c->text ? 0 : -ENOMEM;
}

int sqlite_answer_next(struct sqlite_answer *a, struct cell *cells)
{
	int code = sqlite3_step(a->query);
	unsigned int i;
	int err = 0;

	if (code == SQLITE_DONE)
		return 0;
	if (code != SQLITE_ROW)
		return error_of(code);
	for (i = 0; i < a->shape.count && !err; i++)
		err = fill(a, (int)i, &cells[i]);
	return err ? err : 1;
}

void sqlite_answer_free(struct sqlite_answer *a)
{
	unsigned int i;

	if (!a)
		return;
	for (i = 0; i < a->shape.count; i++)
		free((char *)a->columns[i].name);
	sqlite3_finalize(a->query);
	free(a);
}
