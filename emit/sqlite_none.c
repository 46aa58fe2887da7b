/* SPDX-License-Identifier: GPL-2.0-only */
/* Replaces sqlite.c in builds without the library: every function fails. */
#include <errno.h>

#include "emit/sqlite.h"

int sqlite_open(struct sqlite **s, const char *path, uint32_t schema)
{
	(void)path;
	(void)schema;
	*s = NULL;
	return -ENOSYS;
}

const char *sqlite_error(const struct sqlite *s)
{
	(void)s;
	return "this program was built without SQLite";
}

void sqlite_stop_when(struct sqlite *s, const volatile sig_atomic_t *stop,
		      int bits)
{
	(void)s;
	(void)stop;
	(void)bits;
}

int sqlite_table(struct sqlite *s, const struct row_shape *shape)
{
	(void)s;
	(void)shape;
	return -ENOSYS;
}

int sqlite_row(struct sqlite *s, unsigned int table, const struct cell *cells)
{
	(void)s;
	(void)table;
	(void)cells;
	return -ENOSYS;
}

int sqlite_end(struct sqlite *s, const char *script)
{
	(void)s;
	(void)script;
	return -ENOSYS;
}

void sqlite_free(struct sqlite *s)
{
	(void)s;
}

int sqlite_ask(struct sqlite *s, const char *sql, size_t len,
	       struct sqlite_answer **a)
{
	(void)s;
	(void)sql;
	(void)len;
	*a = NULL;
	return -ENOSYS;
}

const struct row_shape *sqlite_answer_shape(const struct sqlite_answer *a)
{
	(void)a;
	return NULL;
}

int sqlite_answer_next(struct sqlite_answer *a, struct cell *cells)
{
	(void)a;
	(void)cells;
	return -ENOSYS;
}

void sqlite_answer_free(struct sqlite_answer *a)
{
	(void)a;
}
