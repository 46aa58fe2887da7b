/* SPDX-License-Identifier: GPL-2.0-only */
/* Formats that are tables of whole I/Os: public sets of traces, and any CSV. */
#ifndef IMPORT_TABLE_H
#define IMPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct import_to;		/* import/import.h */
struct source;			/* file/source.h */

struct table {
	const char *from;	/* for people */
	const char *columns;	/* import/columns.h; NULL: the user's, or */
	/* those that a line names as the heading, to size bytes; false: it is
	 * none */
	bool (*heading)(const char *line, size_t len, char *columns,
			size_t size);
	const char *clock;	/* of its times, or NULL */
	char separator;		/* ' ': blanks; '\0': by the first line */
	bool wall;		/* times are since 1970 */
	const char *prefix;	/* of devices that are only numbers, or "" */
	/*
	 * What its first line looks like, a character a field: n a number, f
	 * one with decimals, o R or W, 0 a digit for these, t text, * the rest;
	 * NULL: cannot be known.
	 */
	const char *shape;
};

/* whether a line looks so */
bool table_has_shape(const char *line, size_t len, char separator,
		     const char *shape);

/* reads it as import_format.read() does */
int table_read(const struct table *t, const char *columns, struct source *s,
	       const struct import_to *to);

#endif
