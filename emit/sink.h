/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables for programs, as CSV or JSON: values one by one, each with its
 * column's name.
 *
 * CSV: a table after its heading, as in RFC 4180 but with LF.  JSON: an object
 * of objects and arrays of objects.  Text becomes valid UTF-8.
 */
#ifndef EMIT_SINK_H
#define EMIT_SINK_H

#include <stdbool.h>
#include <stdint.h>

#include "stat/statistic.h"

/* --- quoted --------------------------------------------------------------- */

/*
 * Single CSV values; rows of tables are written by emit/csv.
 */

struct buf;			/* base/buf.h */

/* text, quoted if necessary; U+FFFD replaces invalid UTF-8 */
void quoted_csv(struct buf *b, const char *text);

/* a number of at most ten digits; nothing if it is not finite */
void quoted_csv_number(struct buf *b, double number);

/* --- sink ----------------------------------------------------------------- */

struct sink {
	struct buf *b;
	bool json;
	bool one_line;		/* json: rows do not start a line */
	bool heading;		/* csv: writes names, not values */
	bool begun;		/* the object is not empty */
};

/* json: an object (NULL: the outermost) or array; csv: nothing */
void sink_object(struct sink *s, const char *name);
void sink_object_end(struct sink *s);
void sink_array(struct sink *s, const char *name);
void sink_array_end(struct sink *s);

/* a row of a table: an object of an array, or a line */
void sink_row(struct sink *s);
void sink_row_end(struct sink *s);

void sink_number(struct sink *s, const char *name, uint64_t n);
void sink_wide(struct sink *s, const char *name, struct wide n);
/* a finite number with this many decimals; or sink_none() */
void sink_real(struct sink *s, const char *name, bool known, double value,
	       int digits);
/* "true" or "false" */
void sink_flag(struct sink *s, const char *name, bool set);
void sink_text(struct sink *s, const char *name, const char *text);
/* unknown: empty, or null */
void sink_none(struct sink *s, const char *name);

/* json: the name of a value that the caller writes next */
void sink_made(struct sink *s, const char *name);

/* sink_number() of n, or sink_none() */
void sink_maybe(struct sink *s, const char *name, bool known, uint64_t n);

/* the values of statistics_of(), as min_ns, mean_ns and so on */
void sink_statistics(struct sink *s, const uint64_t values[STATISTICS]);

#endif
