/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables for programs, as csv or json: one value after the other, each with
 * the name of its column.
 *
 * csv: one table, its heading first, as RFC 4180 has it with LF.  json: an
 * object of objects and arrays of objects.  Text is made valid UTF-8.
 */
#ifndef EMIT_SINK_H
#define EMIT_SINK_H

#include <stdbool.h>
#include <stdint.h>

#include "stat/statistic.h"

/* --- quoted --------------------------------------------------------------- */

/*
 * Texts from outside, and numbers that may be none, in CSV that is
 * written bit by bit; rows of tables are emit/csv's.
 */

struct buf;			/* base/buf.h */

/* text, in quotes if it needs them; U+FFFD for what is no UTF-8 */
void quoted_csv(struct buf *b, const char *text);

/* a number with ten digits at most; what is none is nothing */
void quoted_csv_number(struct buf *b, double number);

/* --- sink ----------------------------------------------------------------- */

struct sink {
	struct buf *b;
	bool json;
	bool one_line;		/* json: rows do not begin a new one */
	bool heading;		/* csv: names are written, not values */
	bool begun;		/* something stands before, in this object */
};

/* json: the object of a name (NULL: the outermost), or the array; csv: nothing */
void sink_object(struct sink *s, const char *name);
void sink_object_end(struct sink *s);
void sink_array(struct sink *s, const char *name);
void sink_array_end(struct sink *s);

/* a row of a table: an object of an array, or a line */
void sink_row(struct sink *s);
void sink_row_end(struct sink *s);

void sink_number(struct sink *s, const char *name, uint64_t n);
void sink_wide(struct sink *s, const char *name, struct wide n);
/* a finite number, in so many digits behind the point; or sink_none() */
void sink_real(struct sink *s, const char *name, bool known, double value,
	       int digits);
/* "true" or "false" */
void sink_flag(struct sink *s, const char *name, bool set);
void sink_text(struct sink *s, const char *name, const char *text);
/* not known: empty, or null */
void sink_none(struct sink *s, const char *name);

/* json: the name of what the caller writes next, a value as json has it */
void sink_made(struct sink *s, const char *name);

/* sink_number() of n, or sink_none() */
void sink_maybe(struct sink *s, const char *name, bool known, uint64_t n);

/* the values of statistics_of(), as min_ns, mean_ns and so on */
void sink_statistics(struct sink *s, const uint64_t values[STATISTICS]);

#endif
